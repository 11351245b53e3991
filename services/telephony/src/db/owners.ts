import type { Queryable } from '@parley/runtime';

/**
 * Owner look-ups: for an operator who named no organization, the one that a record belongs to. The only statements
 * outside db/jobs/ that do not name an organization; whatever follows them does.
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

export async function ownerOfNumber(db: Queryable, numberId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'number-owner',
    text: 'select organization_id from numbers where number_id = $1',
    values: [numberId],
  });
  return rows[0]?.organization_id;
}

export async function ownerOfCampaign(db: Queryable, campaignId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'campaign-owner',
    text: 'select organization_id from campaigns where campaign_id = $1',
    values: [campaignId],
  });
  return rows[0]?.organization_id;
}

/** A live number, whoever holds it. */
export interface HeldNumber {
  readonly organizationId: string;
  readonly projectId: string;
  readonly inboundAgentId: string | null;
  /** simulator | sip_trunk | twilio */
  readonly provider: string;
}

export async function holderOfNumber(db: Queryable, phoneNumber: string): Promise<HeldNumber | undefined> {
  const { rows } = await db.query<{
    organization_id: string;
    project_id: string;
    inbound_agent_id: string | null;
    provider: string;
  }>({
    name: 'number-holder',
    text: `select organization_id, project_id, inbound_agent_id, provider from numbers
           where phone_number = $1 and released_at is null`,
    values: [phoneNumber],
  });
  const row = rows[0];
  return (
    row && {
      organizationId: row.organization_id,
      projectId: row.project_id,
      inboundAgentId: row.inbound_agent_id,
      provider: row.provider,
    }
  );
}

/** An account at a carrier as some organization stored it. */
export interface AccountHolder {
  readonly organizationId: string;
  readonly carrierCredentialId: string;
  /** Sealed. */
  readonly authToken: Buffer;
}

/** Every organization that names the account: which one is meant is told by the token that signed. */
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
