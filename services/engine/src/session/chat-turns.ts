import type { ChatStatus, TranscriptToolCall, WorkerJob } from '@parley/contract';
import type { CallState } from '../core/state';
import type { ToolCallEntry } from '../tools/tool-call';
import { performed, refused, type CallCommand, type CommandResult } from '../worker/live-call';
import { transcriptOf } from '../worker/transcript-of';
import type { ChatLine } from './chat-line';

/** Maximum size of an outcome; the platform accepts at most 64 KiB. */
const mostBytes = 60 * 1024;
/** Maximum characters of each argument and result if the outcome would otherwise be too large. */
const shortened = 200;

/** Whether the agent has nothing more to say and owes no reply. */
const isAtRest = ({ phase, opened, reply, utterance, tools, owed, toSay, ending }: CallState): boolean =>
  phase === 'talking' &&
  opened &&
  reply === null &&
  utterance === null &&
  tools.length === 0 &&
  !owed.owed &&
  toSay.length === 0 &&
  ending === null;

interface Waiting {
  /** The number of turns before the command. */
  readonly from: number;
  readonly resolve: (result: CommandResult) => void;
}

export interface ChatTurnsOptions {
  readonly job: WorkerJob;
  readonly line: Pick<ChatLine, 'type' | 'leave'>;
  /** Entries of the transcript for tool calls. */
  readonly entries: () => ReadonlyMap<string, ToolCallEntry>;
}

/** The turns of a chat. Each turn is a command from the platform, and its outcome is the agent's reply. */
export class ChatTurns {
  private state: CallState | undefined;
  private waiting: Waiting | undefined;
  private closed = false;

  constructor(private readonly options: ChatTurnsOptions) {}

  /** Called after each change of the call's state. */
  observe(state: CallState): void {
    this.state = state;
    if (this.waiting !== undefined && (state.phase === 'over' || isAtRest(state))) this.settle(state);
  }

  /** Takes the written message. Without `text`, the agent's opening is requested. */
  take({ text, leaves }: CallCommand['fields']): CommandResult | Promise<CommandResult> {
    const { state, options } = this;
    if (state === undefined || this.closed) return refused('call_over', 'the chat is over');
    if (leaves === true) {
      options.line.leave();
      return performed;
    }
    if (this.waiting !== undefined) return refused('busy', 'a turn is in progress');
    if (typeof text === 'string' && !isAtRest(state)) return refused('busy', 'the agent is still writing');
    const from = typeof text === 'string' ? state.transcript.length : 0;
    const outcome = new Promise<CommandResult>((resolve) => (this.waiting = { from, resolve }));
    if (typeof text === 'string') options.line.type(text);
    else this.observe(state);
    return outcome;
  }

  /** The call has ended here or was released to another worker. */
  close(): void {
    this.closed = true;
    this.waiting?.resolve(refused('call_over', 'the chat is over'));
    this.waiting = undefined;
  }

  private settle(state: CallState): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve({ outcome: 'performed', result: this.resultOf(state, waiting.from) });
  }

  private resultOf({ transcript, phase }: CallState, from: number) {
    const status: ChatStatus = phase === 'over' ? 'ended' : 'open';
    const turns = transcriptOf(this.options.job, transcript.slice(from), this.options.entries());
    const replies = turns.filter(({ speaker }) => speaker === 'agent');
    const result = {
      turn_id: turns.at(-1)?.turn_id ?? '',
      agent_text: replies.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n'),
      tool_calls: replies.flatMap((turn) => turn.tool_calls ?? []),
      status,
    };
    if (Buffer.byteLength(JSON.stringify(result)) <= mostBytes) return result;
    return { ...result, tool_calls: result.tool_calls.map(shortOf) };
  }
}

const shortOf = (call: TranscriptToolCall): TranscriptToolCall => ({
  ...call,
  arguments: call.arguments.slice(0, shortened),
  result: call.result.slice(0, shortened),
});
