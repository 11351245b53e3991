import { reachableNumbers, type Dialer, type SimulatorPace } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { stateColumns, stateOf, type StateRow } from '../organizations/organization-state.sql';
import type { AdmissionQuestion, AdmissionSnapshot, SendingNumber } from './admissions.rules';

// Spans halls: what admission needs of several halls' tables is read in one round trip.

/** Organizations with more numbers need a second query, for those of one project. */
export const numbersRead = 20;

const snapshotText = `
  select clock_timestamp() as now,
    array(select asked.key from unnest($3::text[]) as asked (key) cross join lateral (
            select from idempotency where organization_id = $1 and route = $2 and key = asked.key offset 0) as found) as stored_keys,
    array(select concat_ws(' ', phone_number, project_id, provider, simulator_pace, dialer) from numbers
          where organization_id = $1 and released_at is null and phone_number = any($4::text[])) as named,
    array(select concat_ws(' ', phone_number, project_id, provider, simulator_pace, dialer) from numbers
          where organization_id = $1 and released_at is null and $5::boolean limit ${numbersRead}) as first,
    array(select phone_number from suppressions where organization_id = $1 and phone_number = any($6::text[])) as suppressed,
    (select body from organization_policies where organization_id = $1) as policy,
    ${stateColumns}
  from (select 1) as once left join organization_controls c
    on c.organization_id = $1`;

/** The columns of the counter row are null before the organization's first admission. */
interface SnapshotRow extends Omit<StateRow, 'revision'> {
  readonly revision: string | null;
  readonly now: Date;
  readonly stored_keys: string[];
  readonly named: string[];
  readonly first: string[];
  readonly suppressed: string[];
  readonly policy: string | null;
}

/** Reads everything that admission needs from telephony's tables before its write, in one round trip for all waiting requests. */
export async function readAdmissionSnapshot(
  db: Queryable,
  organizationId: string,
  { route, keys, from, anyNumber, to }: AdmissionQuestion,
): Promise<AdmissionSnapshot> {
  const { rows } = await db.query<SnapshotRow>({
    name: 'admission-snapshot',
    text: snapshotText,
    values: [organizationId, route, keys, from, anyNumber, to.flatMap((number) => reachableNumbers(number))],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the clock query returned no row');
  return {
    now: row.now,
    storedKeys: new Set(row.stored_keys),
    named: row.named.map(numberOf),
    first: row.first.map(numberOf),
    suppressed: new Set(row.suppressed),
    policy: row.policy,
    state: row.revision === null ? undefined : stateOf({ ...row, revision: row.revision }),
  };
}

/** Up to two numbers of a project: enough to know whether it has none, one or several. */
export async function numbersOfProject(
  db: Queryable,
  organizationId: string,
  projectId: string,
): Promise<SendingNumber[]> {
  const { rows } = await db.query<{
    phone_number: string;
    provider: string;
    simulator_pace: SimulatorPace;
    dialer: Dialer;
  }>({
    name: 'admission-numbers-of-project',
    text: `select phone_number, provider, simulator_pace, dialer from numbers where organization_id = $1 and project_id = $2 and released_at is null
           order by number_id limit 2`,
    values: [organizationId, projectId],
  });
  return rows.map((row) => ({
    phoneNumber: row.phone_number,
    projectId,
    provider: row.provider,
    simulatorPace: row.simulator_pace,
    dialer: row.dialer,
  }));
}

function numberOf(text: string): SendingNumber {
  const [phoneNumber = '', projectId = '', provider = '', pace, dialer = ''] = text.split(' ');
  const simulatorPace = pace === 'real_time' ? pace : 'instant';
  return { phoneNumber, projectId, provider, simulatorPace, dialer: dialer as Dialer };
}
