import { createInterface } from 'node:readline';
import type { Parley } from '@parley/sdk';
import { connectTestCall, type TestCallMessage } from '@parley/sdk/test-call';
import { Failure } from '../failure.js';
import { note } from '../output.js';
import { openLoudspeaker, openMicrophone, requireSound } from './sound.js';

export interface TalkOptions {
  readonly agentId: string;
  readonly baseUrl: string;
  readonly language: string | undefined;
  readonly variables: Record<string, string>;
  /** If it is aborted, the call is hung up. */
  readonly signal: AbortSignal;
  /** Called for each finished turn. */
  readonly onTurn: (speaker: string, text: string) => void;
}

export interface Talked {
  readonly call_id: string;
  readonly ended_reason: string | null;
  readonly reason_detail: string | null;
}

/** Makes a test call with the microphone and the loudspeaker of this machine. Lines typed in the terminal are typed turns. */
export async function talk(parley: Parley, options: TalkOptions): Promise<Talked> {
  const { agentId, baseUrl, language, variables, signal, onTurn } = options;
  requireSound(new URL(`/test/${agentId}`, baseUrl).href);
  if (typeof WebSocket === 'undefined') throw new Failure('usage', 'a call needs Node 22 or newer');
  const call = await parley.agents.createTestCall({
    path: { agent_id: agentId },
    body: { variables, ...(language === undefined ? {} : { language }) },
  });
  let problem: string | undefined;
  const speaker = openLoudspeaker((why) => fail(why));
  const session = connectTestCall(call, {
    onMessage: (message) => report(message, onTurn),
    onSound: (samples) => speaker.play(samples),
    onClear: () => speaker.clear(),
    played: () => speaker.played(),
  });
  const fail = (why: string): void => {
    problem ??= why;
    session.hangUp();
  };
  const hangUp = (): void => session.hangUp();
  signal.addEventListener('abort', hangUp, { once: true });
  // If there is no microphone, the call ends before the agent speaks.
  const microphone = openMicrophone((samples) => session.sendSound(samples), fail);
  const lines = process.stdin.isTTY ? createInterface({ input: process.stdin }) : undefined;
  lines?.on('line', (text) => {
    if (text.trim() !== '') session.sendText(text);
  });
  note(`call ${call.call_id}: speak, or type a line; Ctrl-C hangs up. Without headphones the agent hears itself`);
  const { code, ended } = await session.closed;
  microphone.close();
  lines?.close();
  signal.removeEventListener('abort', hangUp);
  await speaker.close();
  if (problem !== undefined) throw new Failure('usage', problem);
  if (ended === undefined && !signal.aborted) throw new Failure('api', `the connection of the call ended with ${code}`);
  const { ended_reason = null, reason_detail = null } = ended ?? {};
  return { call_id: call.call_id, ended_reason, reason_detail };
}

function report(message: TestCallMessage, onTurn: TalkOptions['onTurn']): void {
  // A turn without text retracts text that was not heard.
  if (message.type === 'transcript' && message.final && message.text !== '') onTurn(message.speaker, message.text);
  if (message.type === 'tool') note(`tool ${message.name}: ${message.state}`);
}
