import type { Queryable } from '@parley/runtime';

/**
 * Counts an attempt at a number before its PIN is judged, so that attempts at once are counted too. Returns its time, or undefined where as many as there may be were
 * wrong within the last hour.
 */
export async function takePinAttempt(
  db: Queryable,
  organizationId: string,
  phoneNumber: string,
  most: number,
): Promise<string | undefined> {
  const { rows } = await db.query<{ attempted_at: string }>({
    name: 'pin-attempt-take',
    text: `insert into phone_pin_attempts as kept (organization_id, phone_number, attempts)
           values ($1, $2, array[clock_timestamp()])
           on conflict (organization_id, phone_number) do update
             set attempts = array(select one from unnest(kept.attempts) one
                 where one > clock_timestamp() - interval '1 hour' order by one) || clock_timestamp()
             where kept.organization_id = $1 and $3 > (select count(*) from unnest(kept.attempts) one
               where one > clock_timestamp() - interval '1 hour')
           returning attempts[cardinality(attempts)]::text as attempted_at`,
    values: [organizationId, phoneNumber, most],
  });
  return rows[0]?.attempted_at;
}

/** The PIN was right: the attempt does not count. */
export async function forgetPinAttempt(
  db: Queryable,
  organizationId: string,
  phoneNumber: string,
  attemptedAt: string,
): Promise<void> {
  await db.query({
    name: 'pin-attempt-forget',
    text: `update phone_pin_attempts set attempts = array_remove(attempts, $3::timestamptz)
           where organization_id = $1 and phone_number = $2`,
    values: [organizationId, phoneNumber, attemptedAt],
  });
}

/** Seconds until the oldest attempt of a number no longer counts. */
export async function pinAttemptInSeconds(db: Queryable, organizationId: string, phoneNumber: string): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>({
    name: 'pin-attempt-in',
    text: `select ceil(extract(epoch from
             (select min(one) from unnest(attempts) one where one > clock_timestamp() - interval '1 hour')
             + interval '1 hour' - clock_timestamp()))::integer as seconds
           from phone_pin_attempts where organization_id = $1 and phone_number = $2`,
    values: [organizationId, phoneNumber],
  });
  return Math.max(1, rows[0]?.seconds ?? 1);
}
