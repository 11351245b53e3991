import type { Dialer, SimulatorPace } from '@parley/contract';
import type { Queryable } from '@parley/runtime';

export interface NumberRow {
  readonly number_id: string;
  readonly organization_id: string;
  readonly project_id: string;
  readonly phone_number: string;
  readonly provider: string;
  readonly inbound_agent_id: string | null;
  readonly simulator_pace: SimulatorPace;
  readonly dialer: Dialer;
  readonly sip_trunk_id: string | null;
  readonly carrier_credential_id: string | null;
  readonly verified_at: Date | null;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `number_id, organization_id, project_id, phone_number, provider, inbound_agent_id, simulator_pace, dialer, sip_trunk_id,
  carrier_credential_id, verified_at, revision, created_at, updated_at`;

export interface NewNumber {
  readonly numberId: string;
  readonly projectId: string;
  readonly phoneNumber: string;
  readonly provider: string;
  readonly inboundAgentId: string | null;
  readonly simulatorPace: SimulatorPace;
  readonly dialer: Dialer;
  readonly sipTrunkId: string | null;
}

/** Locks a phone number until the commit. Every claim and every verification takes this lock, so that they cannot run concurrently for one number. */
export async function lockPhoneNumber(tx: Queryable, phoneNumber: string): Promise<void> {
  await tx.query({
    name: 'number-phone-lock',
    text: `select pg_advisory_xact_lock(${lockSpace}, hashtext($1::text))`,
    values: [phoneNumber],
  });
}

/** Must differ from the lock space of the queues (books/queue/organization-queue.sql.ts). */
const lockSpace = 7402;

/**
 * Inserts a claim on a number and returns it; undefined if the organization already has the number, or another organization has verified it. The caller has
 * locked the number. Unverified claims of other organizations have no influence, neither on the result nor on the work done, so a caller cannot detect them.
 */
export async function insertNumber(
  tx: Queryable,
  organizationId: string,
  number: NewNumber,
): Promise<NumberRow | undefined> {
  const { rows } = await tx.query<NumberRow>({
    name: 'number-insert',
    text: `insert into numbers (organization_id, number_id, project_id, phone_number, provider, inbound_agent_id,
             simulator_pace, dialer, sip_trunk_id)
           select $1, $2, $3, $4, $5, $6, $7, $8, $9
           where not exists (select 1 from numbers where phone_number = $4 and released_at is null
                             and (verified_at is not null or organization_id = $1))
           returning ${columns}`,
    values: [
      organizationId,
      number.numberId,
      number.projectId,
      number.phoneNumber,
      number.provider,
      number.inboundAgentId,
      number.simulatorPace,
      number.dialer,
      number.sipTrunkId,
    ],
  });
  return rows[0];
}

/** Newest first. `projectId` is empty for all projects, `before` for the first page. */
export async function listNumbers(
  db: Queryable,
  organizationId: string,
  projectId: string,
  before: string,
  limit: number,
): Promise<NumberRow[]> {
  const { rows } = await db.query<NumberRow>({
    name: 'number-list',
    text: `select ${columns} from numbers
           where organization_id = $1 and released_at is null
             and ($2 = '' or project_id = $2) and ($3 = '' or number_id < $3)
           order by number_id desc limit $4`,
    values: [organizationId, projectId, before, limit],
  });
  return rows;
}

export async function lockNumber(
  tx: Queryable,
  organizationId: string,
  numberId: string,
): Promise<NumberRow | undefined> {
  const { rows } = await tx.query<NumberRow>({
    name: 'number-lock',
    text: `select ${columns} from numbers
           where organization_id = $1 and number_id = $2 and released_at is null for update`,
    values: [organizationId, numberId],
  });
  return rows[0];
}

export async function findNumber(
  db: Queryable,
  organizationId: string,
  numberId: string,
): Promise<NumberRow | undefined> {
  const { rows } = await db.query<NumberRow>({
    name: 'number-find',
    text: `select ${columns} from numbers where organization_id = $1 and number_id = $2 and released_at is null`,
    values: [organizationId, numberId],
  });
  return rows[0];
}

/** The number as the organization had it before it last released it or lost it. */
export async function findReleased(
  tx: Queryable,
  organizationId: string,
  phoneNumber: string,
): Promise<NumberRow | undefined> {
  const { rows } = await tx.query<NumberRow>({
    name: 'number-find-released',
    text: `select ${columns} from numbers where organization_id = $1 and phone_number = $2 and released_at is not null
           order by released_at desc limit 1`,
    values: [organizationId, phoneNumber],
  });
  return rows[0];
}

/** The mutable fields of a number. */
export interface NumberChange {
  readonly inboundAgentId: string | null;
  readonly simulatorPace: SimulatorPace;
  readonly dialer: Dialer;
  readonly sipTrunkId: string | null;
}

/** Updates a number. The caller has locked the row. */
export async function writeNumber(
  tx: Queryable,
  organizationId: string,
  numberId: string,
  { inboundAgentId, simulatorPace, dialer, sipTrunkId }: NumberChange,
): Promise<NumberRow | undefined> {
  const { rows } = await tx.query<NumberRow>({
    name: 'number-write',
    text: `update numbers set inbound_agent_id = $3, simulator_pace = $4, dialer = $5, sip_trunk_id = $6, revision = revision + 1, updated_at = now()
           where organization_id = $1 and number_id = $2 and released_at is null returning ${columns}`,
    values: [organizationId, numberId, inboundAgentId, simulatorPace, dialer, sipTrunkId],
  });
  return rows[0];
}

/** The providers of a project's numbers, together with the numbers' dialer. */
export async function linesOfProject(
  db: Queryable,
  organizationId: string,
  projectId: string,
): Promise<{ readonly provider: string; readonly dialer: Dialer }[]> {
  const { rows } = await db.query<{ provider: string; dialer: Dialer }>({
    name: 'number-lines',
    text: `select distinct provider, dialer from numbers where organization_id = $1 and project_id = $2 and released_at is null
           order by provider, dialer`,
    values: [organizationId, projectId],
  });
  return rows;
}

/** Marks a number as verified, with the account that owns it. The caller has locked the phone number and the row. */
export async function writeVerified(
  tx: Queryable,
  organizationId: string,
  numberId: string,
  carrierCredentialId: string | null,
): Promise<NumberRow | undefined> {
  const { rows } = await tx.query<NumberRow>({
    name: 'number-verify',
    text: `update numbers set verified_at = coalesce(verified_at, now()), carrier_credential_id = $3, revision = revision + 1, updated_at = now()
           where organization_id = $1 and number_id = $2 and released_at is null returning ${columns}`,
    values: [organizationId, numberId, carrierCredentialId],
  });
  return rows[0];
}

/**
 * Before another account at a carrier is stored: the numbers that used the only one keep it. The lock serializes the requests of an organization that store
 * accounts.
 */
export async function keepOnlyAccount(tx: Queryable, organizationId: string, provider: string): Promise<void> {
  await tx.query({
    name: 'number-keep-account',
    text: `with stored as materialized (
             select carrier_credential_id from carrier_credentials where organization_id = $1 and provider = $2
             order by carrier_credential_id limit 2 for update)
           update numbers set carrier_credential_id = stored.carrier_credential_id, revision = revision + 1, updated_at = now()
           from stored where (select count(*) from stored) = 1 and organization_id = $1 and provider = $2
             and numbers.carrier_credential_id is null and released_at is null`,
    values: [organizationId, provider],
  });
}

/** Marks a number as released. The caller has locked the row. */
export async function writeReleased(
  tx: Queryable,
  organizationId: string,
  numberId: string,
): Promise<NumberRow | undefined> {
  const { rows } = await tx.query<NumberRow>({
    name: 'number-release',
    text: `update numbers set released_at = now(), revision = revision + 1, updated_at = now()
           where organization_id = $1 and number_id = $2 and released_at is null returning ${columns}`,
    values: [organizationId, numberId],
  });
  return rows[0];
}

/** One subquery per state, so that each can use the index of its jobs. */
const callOverNumber = (state: string): string => `exists (
  select 1 from jobs j join calls c on c.call_id = j.call_id and c.organization_id = j.organization_id
  where j.organization_id = $1 and j.state = '${state}' and c.status in ('dialing', 'answered')
    and (c.from_number = $2 or c.to_number = $2))`;

/** Whether a call that is being dialed or in progress uses the number. Each such call has a job that is leased or adoptable. */
export async function hasLiveCall(tx: Queryable, organizationId: string, phoneNumber: string): Promise<boolean> {
  const { rows } = await tx.query<{ live: boolean }>({
    name: 'number-live-call',
    text: `select ${['leased', 'adoptable'].map(callOverNumber).join(' or ')} as live`,
    values: [organizationId, phoneNumber],
  });
  return rows[0]?.live ?? false;
}
