import type { TranscriptTurn } from '@parley/sdk';
import { useEffect, useState } from 'react';
import { api } from './request';

interface LiveCall {
  readonly turns: readonly TranscriptTurn[];
  /** Words of the other party that are recognised but not a turn yet. */
  readonly partial: string;
}

const nothing: LiveCall = { turns: [], partial: '' };
const retryMs = 2_000;

/** A turn is sent again when it changes: the latest one with its id counts. */
function withTurn(turns: readonly TranscriptTurn[], turn: TranscriptTurn): readonly TranscriptTurn[] {
  const at = turns.findIndex(({ turn_id: id }) => id !== undefined && id === turn.turn_id);
  return at === -1 ? [...turns, turn] : turns.with(at, turn);
}

/** The turns of a call while they are spoken. They stay after its end, until its transcript replaces them. */
export function useLiveCall(callId: string, isFollowed: boolean): LiveCall {
  const [live, setLive] = useState(nothing);
  useEffect(() => {
    if (!isFollowed) return undefined;
    let source: EventSource | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const connect = (): void => {
      const stream = new EventSource(`${api}/v1/calls/${callId}/live`);
      source = stream;
      stream.addEventListener('turn', ({ data }: MessageEvent<string>) => {
        const turn = JSON.parse(data) as TranscriptTurn;
        setLive(({ turns, partial }) => ({
          turns: withTurn(turns, turn),
          partial: turn.speaker === 'agent' ? partial : '',
        }));
      });
      stream.addEventListener('partial', ({ data }: MessageEvent<string>) => {
        const { text } = JSON.parse(data) as { text: string };
        setLive(({ turns }) => ({ turns, partial: text }));
      });
      stream.addEventListener('ended', () => {
        stream.close();
        setLive(({ turns }) => ({ turns, partial: '' }));
      });
      stream.addEventListener('error', () => {
        // The browser resumes a broken stream by itself, but gives up after an error response.
        if (stream.readyState === EventSource.CLOSED) retry = setTimeout(connect, retryMs);
      });
    };
    connect();
    return () => {
      clearTimeout(retry);
      source?.close();
    };
  }, [callId, isFollowed]);
  return live;
}
