import type { ConnectionRecord, LeasedConnection } from '@parley/contract';
import type { Dependencies } from '../agents';
import { openedAuthentication } from './authentication.rules';
import { findConnections } from './connections.sql';
import { openAuthentication } from './seal-authentication';

/** Returns the connections of a project with decrypted authentication, for a call. Ids of other projects are omitted. */
export async function openConnections(
  { db, vault }: Pick<Dependencies, 'db' | 'vault'>,
  { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
  ids: readonly string[],
): Promise<LeasedConnection[]> {
  if (ids.length === 0) return [];
  const rows = await findConnections(db, organizationId, ids);
  return rows
    .filter((row) => row.project_id === projectId)
    .map(({ connection_id: connectionId, view, secret }) => {
      const { base_url, authentication, actions } = JSON.parse(view) as ConnectionRecord;
      const opened = secret === null ? '' : openAuthentication(vault, { organizationId, connectionId }, secret);
      return {
        connection_id: connectionId,
        base_url,
        authentication: openedAuthentication(authentication, opened),
        actions,
      };
    });
}
