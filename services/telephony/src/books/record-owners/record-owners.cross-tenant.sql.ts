import type { Queryable } from '@parley/runtime';

/**
 * The organization that owns a record, for an operator that specified none and for reports of carriers. The statements of this file are not restricted to one
 * organization and return only the owner; the statements that use the result are restricted to it. Undefined: there is no such record.
 */

export async function ownerOfCall(db: Queryable, callId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'call-owner',
    text: 'select organization_id from calls where call_id = $1',
    values: [callId],
  });
  return rows[0]?.organization_id;
}

export async function ownerOfMessage(db: Queryable, messageId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'message-owner',
    text: 'select organization_id from messages where message_id = $1',
    values: [messageId],
  });
  return rows[0]?.organization_id;
}

export async function ownerOfSipTrunk(db: Queryable, sipTrunkId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'sip-trunk-owner',
    text: 'select organization_id from sip_trunks where sip_trunk_id = $1',
    values: [sipTrunkId],
  });
  return rows[0]?.organization_id;
}

export async function ownerOfTopUp(db: Queryable, topUpId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'top-up-owner',
    text: 'select organization_id from wallet_top_ups where top_up_id = $1',
    values: [topUpId],
  });
  return rows[0]?.organization_id;
}
