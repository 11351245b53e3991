import { randomUUID } from 'node:crypto';
import { AppError } from '@parley/errors';
import type { AgentsServiceServer } from '@parley/proto/agents';
import {
  newTraceparent,
  poller,
  serviceCaller,
  type Database,
  type GrpcClient,
  type Logger,
  type Poller,
} from '@parley/runtime';
import { agentsToCheck, noteAgent } from './kept-agents.cross-tenant.sql';
import { removeAgent } from './kept-agents.sql';

export interface DeletedAgentsOptions {
  readonly db: Database;
  readonly agents: Pick<GrpcClient<AgentsServiceServer>, 'getAgentForCall'>;
  readonly log: Logger;
}

/** Checks hourly whether the agents with stored data still exist. Ids are never reused, so a deleted agent does not come back. */
export function deletedAgents({ db, agents, log }: DeletedAgentsOptions): Poller {
  return poller({
    name: 'deleted-agents',
    everyMs: 60_000,
    log,
    run: async (signal) => {
      for (const { organizationId, agentId } of await agentsToCheck(db)) {
        if (signal.aborted) return;
        const context = { caller: serviceCaller, requestId: randomUUID(), traceparent: newTraceparent() };
        const isThere = await agents.getAgentForCall({ organizationId, agentId }, context).then(
          () => true,
          (error: unknown) => {
            if (error instanceof AppError && error.code === 'NotFoundError') return false;
            throw error;
          },
        );
        if (isThere) await noteAgent(db, organizationId, agentId);
        else {
          await db.transaction((tx) => removeAgent(tx, organizationId, agentId));
          log.info({ agent_id: agentId }, 'the data of a deleted agent was removed');
        }
      }
    },
  });
}
