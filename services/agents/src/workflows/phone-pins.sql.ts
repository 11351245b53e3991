import type { Queryable } from '@parley/runtime';
import type { StoredPin } from './phone-pin.rules';

interface PinRow {
  readonly pin_armed_at: Date | null;
  readonly pin_expires_at: Date | null;
  readonly pin_disarmed_at: Date | null;
}

/** Replaces the PIN of a workflow; a previous PIN becomes invalid. */
export async function writePin(
  tx: Queryable,
  organizationId: string,
  agentId: string,
  pin: { readonly digest: Buffer; readonly salt: Buffer; readonly seconds: number },
): Promise<StoredPin> {
  const { rows } = await tx.query<PinRow>({
    name: 'workflow-pin-arm',
    text: `update agent_workflows set pin_digest = $3, pin_salt = $4, pin_armed_at = now(),
             pin_expires_at = now() + make_interval(secs => $5), pin_disarmed_at = null
           where organization_id = $1 and agent_id = $2
           returning pin_armed_at, pin_expires_at, pin_disarmed_at`,
    values: [organizationId, agentId, pin.digest, pin.salt, pin.seconds],
  });
  return pinOf(rows[0]);
}

/** Returns the digest of the currently armed PIN; undefined if there is none. */
export async function findPin(
  db: Queryable,
  organizationId: string,
  agentId: string,
): Promise<{ readonly digest: Buffer; readonly salt: Buffer } | undefined> {
  const { rows } = await db.query<{ pin_digest: Buffer; pin_salt: Buffer }>({
    name: 'workflow-pin-find',
    text: `select pin_digest, pin_salt from agent_workflows
           where organization_id = $1 and agent_id = $2 and pin_digest is not null and pin_disarmed_at is null
             and pin_expires_at > now()`,
    values: [organizationId, agentId],
  });
  return rows[0] && { digest: rows[0].pin_digest, salt: rows[0].pin_salt };
}

/** Disarms the PIN if one is armed, and deletes its digest. A PIN that has expired is not recorded as disarmed. */
export async function endPin(tx: Queryable, organizationId: string, agentId: string): Promise<StoredPin> {
  const { rows } = await tx.query<PinRow>({
    name: 'workflow-pin-disarm',
    text: `update agent_workflows set pin_digest = null, pin_salt = null,
             pin_disarmed_at = case when pin_expires_at > now() then coalesce(pin_disarmed_at, now()) else pin_disarmed_at end
           where organization_id = $1 and agent_id = $2
           returning pin_armed_at, pin_expires_at, pin_disarmed_at`,
    values: [organizationId, agentId],
  });
  return pinOf(rows[0]);
}

const pinOf = (row: PinRow | undefined): StoredPin => ({
  armedAt: row?.pin_armed_at?.toISOString() ?? null,
  expiresAt: row?.pin_expires_at?.toISOString() ?? null,
  disarmedAt: row?.pin_disarmed_at?.toISOString() ?? null,
});
