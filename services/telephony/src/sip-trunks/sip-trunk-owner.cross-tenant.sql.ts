import type { Queryable } from '@parley/runtime';

/** For an operator who named no organization, the one that a trunk belongs to. */
export async function ownerOfSipTrunk(db: Queryable, sipTrunkId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'sip-trunk-owner',
    text: 'select organization_id from sip_trunks where sip_trunk_id = $1',
    values: [sipTrunkId],
  });
  return rows[0]?.organization_id;
}
