import type { Queryable } from '@parley/runtime';

export interface DemoOwner {
  readonly organizationId: string;
  readonly agentId: string;
}

/** The demo that a link opens; undefined if it was revoked or never existed. The token alone determines the organization. */
export async function ownerOfDemoToken(db: Queryable, tokenHash: Buffer): Promise<DemoOwner | undefined> {
  const { rows } = await db.query<{ organization_id: string; agent_id: string }>({
    name: 'demo-owner',
    text: 'select organization_id, agent_id from demos where token_hash = $1',
    values: [tokenHash],
  });
  const row = rows[0];
  return row && { organizationId: row.organization_id, agentId: row.agent_id };
}
