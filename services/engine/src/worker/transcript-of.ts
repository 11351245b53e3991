import type { TranscriptToolCall, TranscriptTurn, WorkerJob } from '@parley/contract';
import type { ConversationTurn, TurnToolCall } from '../core/transcript';
import { redacted } from '../tools/redaction.rules';
import type { ToolCallEntry } from '../tools/tool-call';

const mostResult = 4_000;
const mostToolCalls = 50;

/**
 * The transcript in the format of the call's record. The core calls the two parties agent and caller, whatever the direction; in the record, the other party of
 * an outbound call is the callee.
 * @param entries the entries of tools that ran, without secrets
 */
export const transcriptOf = (
  { call: { direction } }: Pick<WorkerJob, 'call'>,
  turns: readonly ConversationTurn[],
  entries: ReadonlyMap<string, ToolCallEntry>,
): TranscriptTurn[] =>
  turns.map(({ digits, tool_calls: calls, speaker, ...turn }) => ({
    ...turn,
    speaker: direction === 'outbound' && speaker === 'caller' ? 'callee' : speaker,
    ...keysOf(digits),
    ...(calls === undefined
      ? {}
      : { tool_calls: calls.slice(0, mostToolCalls).map((one) => entryOf(one, entries.get(one.tool_call_id))) }),
  }));

/** Keys, unless they contain a card number. */
function keysOf(digits: string | undefined): Pick<TranscriptTurn, 'digits'> {
  return digits === undefined || redacted(digits, []) !== digits ? {} : { digits: digits.slice(0, 256) };
}

/** The entry that the tool runner created, or for a tool that the core ran, the core's. */
function entryOf(call: TurnToolCall, entry: ToolCallEntry | undefined): TranscriptToolCall {
  const given = entry?.arguments ?? redacted(call.arguments, []);
  return {
    ...call,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
    result: (entry?.result ?? redacted(call.result, [])).slice(0, mostResult),
    outcome: entry?.outcome ?? (call.outcome === 'timed_out' ? 'timeout' : call.outcome),
  };
}
