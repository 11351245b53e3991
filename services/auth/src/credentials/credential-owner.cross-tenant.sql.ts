import type { Queryable } from '@parley/runtime';

/** Returns the organization that owns a component credential; undefined if there is no such credential. */
export async function findCredentialOwner(db: Queryable, credentialId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'find-credential-owner',
    text: 'select organization_id from component_credentials where component_credential_id = $1',
    values: [credentialId],
  });
  return rows[0]?.organization_id;
}
