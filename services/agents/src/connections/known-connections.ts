import type { AgentTool, ConnectionRecord, StoredTool } from '@parley/contract';
import { fieldErrors } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import { isStored, usedConnections, type KnownConnections } from '../agents';
import { findConnections, holdConnections } from './connections.sql';

/** A tool whose connection, or its action, does not exist. */
interface Unknown {
  readonly index: number;
  readonly field: 'connection_id' | 'action';
}

const code = { connection_id: 'connection_unknown', action: 'connection_action_unknown' } as const;
const problem = {
  connection_id: "is not a connection of the agent's project",
  action: 'is not an action of the connection',
} as const;

/** Whether the connections and actions that tools name exist. Saves refuse unknown ones; a tool whose connection vanished later is unavailable in calls. */
export function knownConnections(db: Queryable): KnownConnections {
  return {
    async warnings(workspace, tools) {
      const unknown = await findUnknown(db, workspace, tools);
      return unknown.map(({ index, field }) => `${code[field]}: tools[${index}].${field} ${problem[field]}`);
    },
    async check(workspace, tools, stored) {
      const unknown = (await findUnknown(db, workspace, tools)).filter(
        ({ index }) => !isStored(tools[index] ?? '', stored),
      );
      if (unknown.length === 0) return;
      throw fieldErrors(
        unknown.map(({ index, field }) => {
          const path = `tools[${index}].${field}`;
          return { path, code: 'not_allowed' as const, message: `${path} ${problem[field]}` };
        }),
      );
    },
    async hold(tx, { organizationId, projectId }, tools) {
      const ids = usedConnections(tools);
      return ids.length === 0 || (await holdConnections(tx, organizationId, projectId, ids)) === ids.length;
    },
  };
}

async function findUnknown(
  db: Queryable,
  { organizationId, projectId }: Parameters<KnownConnections['check']>[0],
  tools: readonly (AgentTool | StoredTool)[],
): Promise<Unknown[]> {
  const ids = usedConnections(tools);
  if (ids.length === 0) return [];
  const rows = await findConnections(db, organizationId, ids);
  // A preview of an agent that does not exist yet may name no project.
  const own = rows.filter((row) => projectId === '' || row.project_id === projectId);
  const known = new Map(own.map((row) => [row.connection_id, JSON.parse(row.view) as ConnectionRecord]));
  return tools.flatMap((tool, index): Unknown[] => {
    if (typeof tool === 'string' || tool.type !== 'connection') return [];
    const connection = known.get(tool.connection_id);
    if (connection === undefined) return [{ index, field: 'connection_id' }];
    return connection.actions.some(({ name }) => name === tool.action) ? [] : [{ index, field: 'action' }];
  });
}
