import type { Dialer, SimulatorPace } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { HeldNumber } from './number.rules';

/**
 * The organization that owns a number, for an operator that specified none. The statements of this file are not restricted to one organization; those that use
 * the result are.
 */
export async function ownerOfNumber(db: Queryable, numberId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'number-owner',
    text: 'select organization_id from numbers where number_id = $1',
    values: [numberId],
  });
  return rows[0]?.organization_id;
}

/**
 * The organization's number that receives calls and messages to this phone number. If several organizations claim it, the one that verified it is chosen; an
 * unverified claim counts only if it is the only one. Otherwise undefined.
 * @param among the organizations to consider; undefined: all
 */
export async function holderOfNumber(
  db: Queryable,
  phoneNumber: string,
  among?: readonly string[],
): Promise<HeldNumber | undefined> {
  const { rows } = await db.query<{
    organization_id: string;
    project_id: string;
    inbound_agent_id: string | null;
    provider: string;
    simulator_pace: SimulatorPace;
    dialer: Dialer;
    verified: boolean;
  }>({
    name: 'number-holder',
    text: `select organization_id, project_id, inbound_agent_id, provider, simulator_pace, dialer, verified_at is not null as verified
           from numbers where phone_number = $1 and released_at is null
             and ($2::text[] is null or organization_id = any($2::text[]))
           order by verified_at limit 2`,
    values: [phoneNumber, among ?? null],
  });
  const [first, second] = rows;
  if (first === undefined || (second !== undefined && !first.verified)) return undefined;
  return {
    organizationId: first.organization_id,
    projectId: first.project_id,
    inboundAgentId: first.inbound_agent_id,
    provider: first.provider,
    simulatorPace: first.simulator_pace,
    dialer: first.dialer,
  };
}

/** A claim that is released because another organization verified the number. */
export interface DisplacedNumber {
  readonly organizationId: string;
  readonly numberId: string;
  readonly projectId: string;
  readonly provider: string;
  readonly at: Date;
}

/** Releases all other organizations' claims on a verified number; the caller has locked the number. */
export async function displaceOthers(
  tx: Queryable,
  organizationId: string,
  phoneNumber: string,
): Promise<DisplacedNumber[]> {
  const { rows } = await tx.query<{
    organization_id: string;
    number_id: string;
    project_id: string;
    provider: string;
    updated_at: Date;
  }>({
    name: 'number-displace',
    text: `update numbers set released_at = now(), revision = revision + 1, updated_at = now()
           where phone_number = $2 and organization_id <> $1 and released_at is null and verified_at is null
           returning organization_id, number_id, project_id, provider, updated_at`,
    values: [organizationId, phoneNumber],
  });
  return rows.map((row) => ({
    organizationId: row.organization_id,
    numberId: row.number_id,
    projectId: row.project_id,
    provider: row.provider,
    at: row.updated_at,
  }));
}

/** Whether another organization has verified the number; the caller has locked the number. */
export async function isVerifiedElsewhere(
  tx: Queryable,
  organizationId: string,
  phoneNumber: string,
): Promise<boolean> {
  const { rows } = await tx.query<{ verified: boolean }>({
    name: 'number-verified-elsewhere',
    text: `select exists (select 1 from numbers where phone_number = $2 and organization_id <> $1
                          and released_at is null and verified_at is not null) as verified`,
    values: [organizationId, phoneNumber],
  });
  return rows[0]?.verified ?? false;
}

/** An organization that stored a carrier account. */
export interface AccountHolder {
  readonly organizationId: string;
  readonly carrierCredentialId: string;
  /** Encrypted. */
  readonly authToken: Buffer;
}

/** All organizations that stored the account. The token that signed a webhook determines which of them it concerns. */
export async function holdersOfAccount(db: Queryable, provider: string, accountSid: string): Promise<AccountHolder[]> {
  const { rows } = await db.query<{ organization_id: string; carrier_credential_id: string; auth_token: Buffer }>({
    name: 'account-holders',
    text: `select organization_id, carrier_credential_id, auth_token from carrier_credentials
           where provider = $1 and account_sid = $2 order by carrier_credential_id`,
    values: [provider, accountSid],
  });
  return rows.map((row) => ({
    organizationId: row.organization_id,
    carrierCredentialId: row.carrier_credential_id,
    authToken: row.auth_token,
  }));
}

export async function ownerOfSipTrunk(db: Queryable, sipTrunkId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'sip-trunk-owner',
    text: 'select organization_id from sip_trunks where sip_trunk_id = $1',
    values: [sipTrunkId],
  });
  return rows[0]?.organization_id;
}
