import { TranscriptTurn, validate, type TranscriptToolCall, type WorkerJob } from '@parley/contract';
import { fitTranscript } from '../core/fit-transcript';
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

/** The transcript of a completion. */
export interface RecordedTurns {
  readonly turns: readonly TranscriptTurn[];
  /** Whether its end is missing, because it is too large. */
  readonly cut: boolean;
  /** How many turns are missing, because the platform would refuse all for one of them. */
  readonly dropped: number;
}

export function recordOf(...of: Parameters<typeof transcriptOf>): RecordedTurns {
  const { turns, cut } = fitTranscript(transcriptOf(...of));
  const accepted = turns.filter(isAccepted);
  return { turns: accepted, cut, dropped: turns.length - accepted.length };
}

/** Turns as they are reported during the call: one that the platform would refuse keeps its place, without content. */
export const reportedOf = (...of: Parameters<typeof transcriptOf>): TranscriptTurn[] =>
  transcriptOf(...of).map((turn) => {
    const { turn_id, speaker, started_ms, ended_ms } = turn;
    return isAccepted(turn) ? turn : { turn_id, speaker, text: '', started_ms, ended_ms };
  });

function isAccepted(turn: TranscriptTurn): boolean {
  try {
    return validate(TranscriptTurn, JSON.parse(JSON.stringify(turn))).value !== undefined;
  } catch {
    return false;
  }
}

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
