import { AppError } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import { Batcher, type Settled } from '@parley/service';
import { insertAgents, type NewAgent } from './insert-agents.sql';

type Inserted = Settled<string | undefined>;

/** Inserts agents by organization, with the results of `insertAgents`. */
export type AgentInsertions = Batcher<NewAgent, string | undefined>;

/** There is one statement per number of agents, prepared once per connection. */
const mostItems = 16;

/** Maximum number of concurrent statements per organization, so that one that waits for an Idempotency-Key does not delay the others. */
const concurrency = 2;

/** Combines concurrent insertions in one statement: parsing, round trip and commit cost more than a row. */
export const agentInsertions = (db: Queryable): AgentInsertions =>
  new Batcher({
    mostItems,
    concurrency,
    bytesOf: ({ rendered }) => 4 * rendered.view.length,
    run: (organizationId, agents) => insertTogether(db, organizationId, agents),
  });

async function insertTogether(
  db: Queryable,
  organizationId: string,
  agents: readonly NewAgent[],
): Promise<readonly Inserted[]> {
  try {
    return (await insertAgents(db, organizationId, agents)).map((value) => ({ value }));
  } catch (error) {
    // After a lost connection it is unknown what was written; after any other error nothing was, and it may be due to one of the agents.
    if (agents.length === 1 || error instanceof AppError) throw error;
    return Promise.all(agents.map((one) => insertAlone(db, organizationId, one)));
  }
}

async function insertAlone(db: Queryable, organizationId: string, one: NewAgent): Promise<Inserted> {
  try {
    const [value] = await insertAgents(db, organizationId, [one]);
    return { value };
  } catch (error) {
    return { error };
  }
}
