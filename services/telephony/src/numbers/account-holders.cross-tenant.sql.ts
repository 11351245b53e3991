import type { Queryable } from '@parley/runtime';

/** An account at a carrier as some organization stored it. */
export interface AccountHolder {
  readonly organizationId: string;
  readonly carrierCredentialId: string;
  /** Sealed. */
  readonly authToken: Buffer;
}

/** Every organization that names the account: which one is meant is known by the token that signed. */
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
