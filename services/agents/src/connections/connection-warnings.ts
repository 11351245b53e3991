import type { ConnectionRecord } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { KnownConnections } from '../agents';
import { findConnections } from './connections.sql';

/** Warns about tools whose connection does not exist. Such a tool can be saved, but is unavailable in calls until the connection is created. */
export function knownConnections(db: Queryable): KnownConnections {
  return {
    async warnings({ organizationId, projectId }, tools) {
      const named = tools.flatMap((tool, index) =>
        typeof tool === 'object' && tool.type === 'connection' ? [{ index, tool }] : [],
      );
      if (named.length === 0) return [];
      const rows = await findConnections(
        db,
        organizationId,
        named.map(({ tool }) => tool.connection_id),
      );
      const own = rows.filter((row) => row.project_id === projectId);
      const known = new Map(own.map((row) => [row.connection_id, JSON.parse(row.view) as ConnectionRecord]));
      return named.flatMap(({ index, tool }) => {
        const connection = known.get(tool.connection_id);
        if (connection === undefined)
          return [`connection_unknown: the connection of tools[${index}] does not exist in the agent's project`];
        return connection.actions.some(({ name }) => name === tool.action)
          ? []
          : [`connection_action_unknown: the action of tools[${index}] does not exist in its connection`];
      });
    },
  };
}
