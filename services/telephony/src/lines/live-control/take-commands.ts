import type { WorkerCommandKept, WorkerCommandOutcome, WorkerCommands } from '@parley/contract';
import { conflict } from '@parley/errors';
import { type Background, type Database, type Logger, poller } from '@parley/runtime';
import { type LeaseInput, lockHeldJob } from '../../books';
import type { Telephony } from '../../telephony';
import { pruneCommands, takeCommands, type Taking } from './commands.cross-tenant.sql';
import { endCommand } from './commands.sql';
import { armed } from './signals';

type Needs = Pick<Telephony, 'db' | 'signals'>;

/** Polling interval, in case the signal of another replica is lost. */
const pollMs = 1_000;

/** The commands for a worker's calls; waits until there is one. Empty if the signal is aborted first. */
export async function commandsFor(
  { db, signals }: Needs,
  taking: Taking,
  waitMs: number,
  signal: AbortSignal,
): Promise<WorkerCommands> {
  const coming = armed(signals, 'worker', taking.workerId);
  try {
    for (const until = performance.now() + waitMs; !signal.aborted;) {
      const commands = await takeCommands(db, taking);
      const left = until - performance.now();
      if (commands.length > 0) return { commands: commands.map(rendered) };
      if (left <= 0) break;
      await coming.wait(Math.min(pollMs, left), signal);
    }
    return { commands: [] };
  } finally {
    coming.off();
  }
}

const rendered = ({ commandId, jobId, epoch, type, fields }: Awaited<ReturnType<typeof takeCommands>>[number]) => ({
  command_id: commandId,
  job_id: jobId,
  epoch: Number(epoch),
  type,
  fields: JSON.parse(fields) as Record<string, unknown>,
});

/**
 * Stores the outcome of a command; a repeated report changes nothing.
 * @throws AppError NotFoundError; BadRequestError; ConflictError for a stale epoch, and for a command that was not taken under it
 */
export async function recordOutcome(
  { db, signals }: Needs,
  { commandId, ...input }: LeaseInput<WorkerCommandOutcome> & { readonly commandId: string },
): Promise<WorkerCommandKept> {
  const outcome = await db.transaction(async (tx) => {
    const { call, job, fields } = await lockHeldJob(tx, input.organizationId, input.jobId, input.fields);
    const { outcome: state, refusal = null, detail = null, result } = fields;
    const ending = { callId: call.callId, commandId, epoch: job.epoch, state, refusal, detail };
    const kept = await endCommand(tx, call.organizationId, {
      ...ending,
      result: result === undefined ? null : JSON.stringify(result),
    });
    if (kept === undefined) throw conflict('the command was not taken under this lease');
    return kept;
  });
  signals.send('command', commandId);
  return { command_id: commandId, outcome };
}

const batch = 500;

/** Deletes commands after one day, when no request waits for their outcome any more. */
export function createCommandPruner(db: Database, log: Logger): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    let pruned: number;
    do pruned = await pruneCommands(db, batch);
    while (pruned === batch && !signal.aborted);
  };
  return poller({ name: 'command-pruner', everyMs: 600_000, run, log });
}
