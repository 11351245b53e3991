import type { CallProblem, TranscriptTurn, WorkerJob } from '@parley/contract';
import type { ResumedCall } from '../core/resume';
import { readSnapshot } from '../core/snapshot';
import type { ConversationTurn, TurnToolCall } from '../core/transcript';

type Resume = NonNullable<WorkerJob['resume']>;
type Outcome = TurnToolCall['outcome'];

/** The record of a call says so whose snapshot this release cannot read. */
export const snapshotUnreadable = {
  code: 'snapshot_unreadable',
  detail: 'another release conducted the call before; it went on from the transcript alone',
} as const;

/** More than a process ever asks the model. */
const attemptsOfEpoch = 10_000;

/** What an adopted call goes on from; undefined: it begins. */
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

/** What the worker before noted of it. */
export function problemsOf({ snapshot }: Resume): readonly CallProblem[] {
  const problems = snapshot?.['problems'];
  return Array.isArray(problems) ? (problems as CallProblem[]) : [];
}

/** As the core has it: the inverse of `transcriptOf`, but for what was redacted. */
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
