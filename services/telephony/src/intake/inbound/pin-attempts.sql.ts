import type { Queryable } from '@parley/runtime';

/**
 * Counts an attempt at a number before its PIN is checked, so that concurrent attempts count too. Returns the time of the attempt, or undefined if the last
 * hour already has the maximum of wrong PINs.
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

/** Removes an attempt whose PIN was correct. */
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

/** Seconds until the oldest attempt at a number is no longer counted. */
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
