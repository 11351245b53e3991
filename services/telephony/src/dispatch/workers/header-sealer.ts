import { sealedHeaderContext, type CallTuning } from '@parley/contract';
import { leastIdAt, poller, type Background, type Clock, type Database, type Logger } from '@parley/runtime';
import type { Vault } from '@parley/vault';
import { readTunings, replaceTuning, type PinnedTuning } from './clear-headers.cross-tenant.sql';
import { lockCursor, moveCursor } from '../../books';
import { withoutClearHeaders } from './sealed-tuning.rules';

/** Number of calls per transaction. */
const pageSize = 500;
/** Longer than the time between the creation of a call's id and the commit of its row. */
const settledMs = 60_000;

export interface HeaderSealerOptions {
  readonly db: Database;
  readonly vault: Pick<Vault, 'seal'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Processes once the calls that were placed while the agents service still returned header values of tools in plain text. For calls that are over the values
 * are removed; for others they are encrypted, because a worker still needs them. It is done one day after its start, when all processes of the agents service
 * encrypt the values.
 */
export function createHeaderSealer(options: HeaderSealerOptions): Background {
  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted && (await sealPage(options)));
  };
  return poller({ name: 'tool-headers', everyMs: 60_000, run, log: options.log });
}

/** Returns whether there is more to do now. */
async function sealPage({ db, vault, clock }: HeaderSealerOptions): Promise<boolean> {
  return db.transaction(async (tx) => {
    const cursor = await lockCursor(tx, 'tool-headers');
    if (cursor === undefined) return false;
    const before = leastIdAt('call', new Date(clock.now().getTime() - settledMs));
    const { found, last } = await readTunings(tx, cursor.position, before, pageSize);
    for (const call of found) {
      const replaced = sealedTuning(vault, call);
      if (replaced !== undefined) await replaceTuning(tx, call, JSON.stringify(replaced));
    }
    await moveCursor(tx, 'tool-headers', last ?? cursor.position, last === undefined && cursor.old);
    return last !== undefined;
  });
}

const isOver = ({ status }: PinnedTuning): boolean =>
  status === 'completed' || status === 'failed' || status === 'canceled' || status === 'policy_blocked';

function sealedTuning(vault: HeaderSealerOptions['vault'], call: PinnedTuning): CallTuning | undefined {
  const { organization_id: organizationId, agent_id: agentId, tuning } = call;
  const seal = (tool: string, header: string, value: string): string =>
    vault.seal(value, sealedHeaderContext(organizationId, agentId, tool, header)).toString('base64');
  return withoutClearHeaders(JSON.parse(tuning) as CallTuning, isOver(call) ? undefined : seal);
}
