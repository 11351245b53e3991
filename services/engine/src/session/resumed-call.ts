import type { CallProblem, TranscriptTurn, WorkerJob } from '@parley/contract';
import type { ResumedCall } from '../core/state';
import { readSnapshot } from '../core/snapshot';
import type { ConversationTurn, TurnToolCall } from '../core/transcript';

type Resume = NonNullable<WorkerJob['resume']>;
type Outcome = TurnToolCall['outcome'];

/** The problem in the call's record if this release cannot read the snapshot. */
export const snapshotUnreadable = {
  code: 'snapshot_unreadable',
  detail: 'another release conducted the call before; it was continued from the transcript alone',
} as const;

/** More attempts than a process can make in one call: each epoch has its own range of numbers. */
const attemptsOfEpoch = 10_000;

/** The state from which an adopted call resumes; undefined if it is new. */
export function resumedOf({ resume, epoch }: Pick<WorkerJob, 'resume' | 'epoch'>): ResumedCall | undefined {
  if (resume === undefined) return undefined;
  return {
    elapsedMs: resume.elapsed_ms,
    snapshot: readSnapshot(resume.snapshot),
    transcript: resume.turns.map(turnOf),
    begunTools: resume.tool_calls.map(({ tool_call_id: id, name, outcome, result }) => ({
      id,
      name,
      ended: outcome === null ? undefined : { outcome: outcomeOf(outcome), result: result ?? '' },
    })),
    attemptsFrom: epoch * attemptsOfEpoch,
  };
}

/** The problems that the previous worker has recorded. */
export function problemsOf({ snapshot }: Resume): readonly CallProblem[] {
  const problems = snapshot?.['problems'];
  return Array.isArray(problems) ? (problems as CallProblem[]) : [];
}

/** Converts a turn to the core's format: the inverse of `transcriptOf`, except for redacted text. */
function turnOf({ turn_id: id, speaker, tool_calls: calls, ...turn }: TranscriptTurn, n: number): ConversationTurn {
  return {
    ...turn,
    turn_id: id ?? `turn_at_${n}`,
    speaker: speaker === 'agent' ? 'agent' : 'caller',
    ...(calls && { tool_calls: calls.map(({ outcome, ...call }) => ({ ...call, outcome: outcomeOf(outcome) })) }),
  };
}

const outcomeOf = (outcome: string): Outcome => {
  if (outcome === 'timeout') return 'timed_out';
  return ['succeeded', 'failed', 'transferred', 'canceled'].includes(outcome) ? (outcome as Outcome) : 'failed';
};
