import type { TestCall } from '@parley/sdk';
import { startBrowserCall, type BrowserCall } from '@parley/sdk/browser';
import type { TestCallMessage } from '@parley/sdk/test-call';
import { useEffect, useRef, useState } from 'react';
import { once, write } from '../../api/request';
import { t, word } from '../../text/text';

export interface Said {
  readonly id: string;
  readonly speaker: 'agent' | 'caller';
  readonly text: string;
}

type State = 'idle' | 'connecting' | 'listening' | 'thinking' | 'speaking' | 'over';

interface Talk {
  readonly state: State;
  readonly hasMicrophone: boolean;
  readonly said: readonly Said[];
  readonly callId?: string;
  readonly endedReason?: string;
  readonly error?: Error;
}

const idle: Talk = { state: 'idle', hasMicrophone: false, said: [] };

/** A final transcript without text takes back what was never heard. */
function withTranscript(
  said: readonly Said[],
  { turn_id: id, speaker, text, final }: Extract<TestCallMessage, { type: 'transcript' }>,
): readonly Said[] {
  const others = said.filter((one) => one.id !== id);
  if (final && text === '') return others;
  const at = said.findIndex((one) => one.id === id);
  return at === -1 ? [...said, { id, speaker, text }] : said.with(at, { id, speaker, text });
}

/** One test call after another with an agent, from this browser. A call ends with the component. */
export function useTalk(agentId: string, onLevel: (peak: number) => void) {
  const [talk, setTalk] = useState(idle);
  const [isMuted, setMuted] = useState(false);
  const session = useRef<BrowserCall>(undefined);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      session.current?.hangUp();
    };
  }, []);

  const take = (message: TestCallMessage): void =>
    setTalk((now) => {
      if (message.type === 'state') return { ...now, state: message.state };
      if (message.type === 'transcript') return { ...now, said: withTranscript(now.said, message) };
      return now;
    });

  const start = async (hasMicrophone: boolean): Promise<void> => {
    setMuted(false);
    setTalk({ ...idle, state: 'connecting', hasMicrophone });
    try {
      const call = await startBrowserCall(
        async () => {
          const created = await write<TestCall>('POST', `/v1/agents/${agentId}/test-calls`, {
            body: {},
            headers: once(),
          });
          setTalk((now) => ({ ...now, callId: created.call_id }));
          return created;
        },
        { microphone: hasMicrophone, onLevel, onMessage: take },
      );
      session.current = call;
      // The person left the page while it connected.
      if (isGone.current) call.hangUp();
      const { ended } = await call.closed;
      const endedReason = ended?.ended_reason ?? undefined;
      setTalk((now) => ({ ...now, state: 'over', ...(endedReason !== undefined && { endedReason }) }));
    } catch (error) {
      setTalk((now) => ({ ...now, state: 'over', error: error instanceof Error ? error : new Error(String(error)) }));
    } finally {
      session.current = undefined;
      onLevel(0);
    }
  };

  return {
    talk,
    isMuted,
    start,
    hangUp: () => session.current?.hangUp(),
    say: (text: string) => session.current?.sendText(text),
    mute: (next: boolean) => {
      session.current?.setMuted(next);
      setMuted(next);
    },
  };
}

/** Browsers refuse a microphone with an exception of these names. */
const microphoneErrors = ['NotAllowedError', 'NotFoundError', 'NotReadableError', 'SecurityError'];

export const isMicrophoneError = (error: Error): boolean => microphoneErrors.includes(error.name);

export const endingOf = (reason: string | undefined): string =>
  reason === undefined ? t('talk.over') : t('talk.overBecause', { reason: word('reason', reason) });
