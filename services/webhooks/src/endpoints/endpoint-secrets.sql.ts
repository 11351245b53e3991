import type { Queryable } from '@parley/runtime';

/**
 * Adds an encrypted secret. Previous secrets expire after `overlapHours`, or earlier if they would have expired earlier anyway; expired ones are deleted.
 * Returns how many secrets are active now. The caller has locked the endpoint's row.
 */
export async function rotateSecret(
  tx: Queryable,
  organizationId: string,
  endpointId: string,
  sealed: Buffer,
  overlapHours: number,
): Promise<number> {
  await tx.query({
    name: 'secrets-end',
    text: `with dead as (
        delete from endpoint_secrets where organization_id = $1 and endpoint_id = $2 and expires_at <= now())
      update endpoint_secrets set expires_at = least(expires_at, now() + make_interval(hours => $3::integer))
      where organization_id = $1 and endpoint_id = $2 and (expires_at is null or expires_at > now())`,
    values: [organizationId, endpointId, overlapHours],
  });
  await tx.query({
    name: 'secret-insert',
    text: 'insert into endpoint_secrets (organization_id, endpoint_id, sealed) values ($1, $2, $3)',
    values: [organizationId, endpointId, sealed],
  });
  const { rows } = await tx.query<{ live: number }>({
    name: 'secrets-live',
    text: `select count(*)::integer as live from endpoint_secrets
      where organization_id = $1 and endpoint_id = $2 and (expires_at is null or expires_at > now())`,
    values: [organizationId, endpointId],
  });
  return rows[0]?.live ?? 0;
}
