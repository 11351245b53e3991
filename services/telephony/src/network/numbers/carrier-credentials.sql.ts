import type { Queryable } from '@parley/runtime';
import type { Sealed } from '@parley/vault';

export interface CarrierCredentialRow {
  readonly carrier_credential_id: string;
  readonly organization_id: string;
  readonly provider: string;
  readonly account_sid: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = 'carrier_credential_id, organization_id, provider, account_sid, created_at, updated_at';

/**
 * Locks an account, so that replacements are serialized, and returns its id, which is part of the encryption of its token; undefined if the account is not
 * stored.
 */
export async function lockCarrierCredential(
  tx: Queryable,
  organizationId: string,
  provider: string,
  accountSid: string,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ carrier_credential_id: string }>({
    name: 'carrier-credential-lock',
    text: `select carrier_credential_id from carrier_credentials
           where organization_id = $1 and provider = $2 and account_sid = $3 for update`,
    values: [organizationId, provider, accountSid],
  });
  return rows[0]?.carrier_credential_id;
}

export interface StoredCarrierCredential {
  readonly carrierCredentialId: string;
  readonly provider: string;
  readonly accountSid: string;
  readonly authToken: Sealed;
  readonly vaultKeyId: string;
}

/** Undefined: a concurrent request stored the account first, with another id. */
export async function writeCarrierCredential(
  tx: Queryable,
  organizationId: string,
  credential: StoredCarrierCredential,
): Promise<CarrierCredentialRow | undefined> {
  const { rows } = await tx.query<CarrierCredentialRow>({
    name: 'carrier-credential-write',
    text: `insert into carrier_credentials (organization_id, carrier_credential_id, provider, account_sid, auth_token, vault_key_id)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (organization_id, provider, account_sid) do update
             set auth_token = excluded.auth_token, vault_key_id = excluded.vault_key_id, updated_at = clock_timestamp()
             where carrier_credentials.carrier_credential_id = excluded.carrier_credential_id
           returning ${columns}`,
    values: [
      organizationId,
      credential.carrierCredentialId,
      credential.provider,
      credential.accountSid,
      credential.authToken,
      credential.vaultKeyId,
    ],
  });
  return rows[0];
}

export async function findCarrierCredential(
  db: Queryable,
  organizationId: string,
  carrierCredentialId: string,
): Promise<CarrierCredentialRow | undefined> {
  const { rows } = await db.query<CarrierCredentialRow>({
    name: 'carrier-credential-find',
    text: `select ${columns} from carrier_credentials where organization_id = $1 and carrier_credential_id = $2`,
    values: [organizationId, carrierCredentialId],
  });
  return rows[0];
}

/** Newest first. `after` is empty for the first page. */
export async function listCarrierCredentialRows(
  db: Queryable,
  organizationId: string,
  after: string,
  limit: number,
): Promise<CarrierCredentialRow[]> {
  const { rows } = await db.query<CarrierCredentialRow>({
    name: 'carrier-credentials-list',
    text: `select ${columns} from carrier_credentials
           where organization_id = $1 and ($2::text = '' or carrier_credential_id < $2::text)
           order by carrier_credential_id desc limit $3`,
    values: [organizationId, after, limit],
  });
  return rows;
}

/** An account as stored. */
export interface SealedAccount {
  readonly carrierCredentialId: string;
  readonly accountSid: string;
  readonly authToken: Buffer;
}

type SealedRow = Pick<CarrierCredentialRow, 'carrier_credential_id' | 'account_sid'> & { readonly auth_token: Buffer };

const sealedAccount = (row: SealedRow): SealedAccount => ({
  carrierCredentialId: row.carrier_credential_id,
  accountSid: row.account_sid,
  authToken: row.auth_token,
});

/** The accounts at a carrier, or only the named one, latest first. The order gives no account a right to a number: see `accountOfNumber`. */
export async function listCarrierAccounts(
  db: Queryable,
  organizationId: string,
  provider: string,
  limit: number,
  accountSid: string | null = null,
): Promise<SealedAccount[]> {
  const { rows } = await db.query<SealedRow>({
    name: 'carrier-accounts-list',
    text: `select carrier_credential_id, account_sid, auth_token from carrier_credentials
           where organization_id = $1 and provider = $2 and ($4::text is null or account_sid = $4)
           order by updated_at desc, carrier_credential_id desc limit $3`,
    values: [organizationId, provider, limit, accountSid],
  });
  return rows.map(sealedAccount);
}

/**
 * The account that a number's calls and messages use: its own, or the organization's only one at the carrier if it has none. Undefined if none is stored, and if
 * several could be meant: anyone who stores another account must not choose it for numbers that others use.
 */
export async function accountOfNumber(
  db: Queryable,
  organizationId: string,
  provider: string,
  phoneNumber: string,
): Promise<SealedAccount | undefined> {
  const { rows } = await db.query<SealedRow>({
    name: 'carrier-account-of-number',
    text: `select c.carrier_credential_id, c.account_sid, c.auth_token from carrier_credentials c
             left join numbers n on n.organization_id = $1 and n.phone_number = $3 and n.released_at is null
           where c.organization_id = $1 and c.provider = $2
             and c.carrier_credential_id = coalesce(n.carrier_credential_id, c.carrier_credential_id) limit 2`,
    values: [organizationId, provider, phoneNumber],
  });
  return rows.length === 1 ? rows.map(sealedAccount)[0] : undefined;
}
