import type { Queryable } from '@parley/runtime';

export interface SendingNumber {
  readonly phoneNumber: string;
  readonly projectId: string;
}

export interface AdmissionRead {
  /** The database's clock. */
  readonly now: Date;
  /** Whether a request with this key was answered before. */
  readonly remembered: boolean;
  /** The number named by `from`, else the first `numbersRead`. */
  readonly numbers: readonly SendingNumber[];
}

export interface AdmissionQuestion {
  readonly route: string;
  /** The Idempotency-Key; empty for none. */
  readonly key: string;
  /** The number to call from; empty: any. */
  readonly from: string;
  /** Empty: numbers of every project. */
  readonly projectId: string;
}

/** Organizations with more numbers than this are asked again, for those of one project. */
export const numbersRead = 20;

const readText = (number: string): string => `
  select clock_timestamp() as now, n.phone_number, n.project_id, exists (
    select 1 from idempotency where organization_id = $1 and route = $2 and key = $3) as remembered
  from (select 1) as once left join lateral (
    select phone_number, project_id from numbers
    where organization_id = $1 and released_at is null and ${number}
      and ($5 = '' or project_id = $5)
    order by number_id limit ${numbersRead}
  ) n on true`;

const readNamed = { name: 'admission-read-named', text: readText('phone_number = $4') };
const readAny = { name: 'admission-read-any', text: readText("$4 = ''") };

/** What admission reads of telephony's own rows before its one write, in one round trip. */
export async function readForAdmission(
  db: Queryable,
  organizationId: string,
  { route, key, from, projectId }: AdmissionQuestion,
): Promise<AdmissionRead> {
  const { rows } = await db.query<AdmissionRow>({
    ...(from === '' ? readAny : readNamed),
    values: [organizationId, route, key, from, projectId],
  });
  const [first] = rows;
  if (first === undefined) throw new Error('the database did not say what time it is');
  const numbers = rows.flatMap(({ phone_number: phoneNumber, project_id: project }) =>
    phoneNumber === null || project === null ? [] : [{ phoneNumber, projectId: project }],
  );
  return { now: first.now, remembered: first.remembered, numbers };
}

interface AdmissionRow {
  readonly now: Date;
  readonly remembered: boolean;
  readonly phone_number: string | null;
  readonly project_id: string | null;
}
