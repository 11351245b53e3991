import type { ComponentCredentialKind } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { Sealed } from '@parley/vault';
import type { ComponentCredentialRecord } from './component-credential.rules';
import { timeText, type PageBefore } from '../rows.rules';

interface CredentialRow {
  readonly component_credential_id: string;
  readonly organization_id: string;
  readonly kind: ComponentCredentialKind;
  readonly provider: string;
  readonly name: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly replaced_at: Date | null;
  readonly base_url: string | null;
  readonly tested_at: Date | null;
  readonly test_ok: boolean | null;
  readonly test_detail: string | null;
  readonly standby: boolean;
}

const columns = `component_credential_id, organization_id, kind, provider, name, created_by, created_at, replaced_at, base_url,
  tested_at, test_ok, test_detail, standby`;

const recordOf = (row: CredentialRow): ComponentCredentialRecord => ({
  componentCredentialId: row.component_credential_id,
  organizationId: row.organization_id,
  kind: row.kind,
  provider: row.provider,
  name: row.name,
  createdBy: row.created_by,
  createdAt: timeText(row.created_at),
  replacedAt: row.replaced_at === null ? '' : timeText(row.replaced_at),
  baseUrl: row.base_url ?? '',
  standby: row.standby,
  test:
    row.tested_at === null
      ? undefined
      : { at: timeText(row.tested_at), ok: row.test_ok === true, detail: row.test_detail ?? '' },
});

export interface NewComponentCredential {
  readonly componentCredentialId: string;
  readonly kind: ComponentCredentialKind;
  readonly provider: string;
  readonly name: string;
  readonly secret: Sealed;
  readonly vaultKeyId: string;
  readonly createdBy: string;
  /** Empty: the public address of the provider. */
  readonly baseUrl: string;
  readonly standby: boolean;
}

/** @returns undefined if it would be a second standby credential of its kind and provider */
export async function insertComponentCredential(
  tx: Queryable,
  organizationId: string,
  credential: NewComponentCredential,
): Promise<ComponentCredentialRecord | undefined> {
  const { rows } = await tx.query<CredentialRow>({
    name: 'insert-component-credential',
    text: `insert into component_credentials (organization_id, component_credential_id, kind, provider, name, secret,
             vault_key_id, created_by, base_url, standby)
           values ($1, $2, $3, $4, $5, $6, $7, $8, nullif($9, ''), $10)
           on conflict (organization_id, kind, provider) where standby do nothing returning ${columns}`,
    values: [
      organizationId,
      credential.componentCredentialId,
      credential.kind,
      credential.provider,
      credential.name,
      credential.secret,
      credential.vaultKeyId,
      credential.createdBy,
      credential.baseUrl,
      credential.standby,
    ],
  });
  return rows.map(recordOf)[0];
}

export async function listComponentCredentials(
  db: Queryable,
  organizationId: string,
  page: PageBefore,
): Promise<ComponentCredentialRecord[]> {
  const { rows } = await db.query<CredentialRow>({
    name: 'list-component-credentials',
    text: `select ${columns} from component_credentials
           where organization_id = $1 and (created_at, component_credential_id) < ($2::timestamptz, $3)
           order by created_at desc, component_credential_id desc limit $4::integer + 1`,
    values: [organizationId, page.createdBefore, page.idBefore, page.limit],
  });
  return rows.map(recordOf);
}

/** @returns undefined if there is no such credential */
export async function replaceSecret(
  tx: Queryable,
  organizationId: string,
  credentialId: string,
  { secret, vaultKeyId }: Pick<NewComponentCredential, 'secret' | 'vaultKeyId'>,
): Promise<ComponentCredentialRecord | undefined> {
  const { rows } = await tx.query<CredentialRow>({
    name: 'replace-component-secret',
    text: `update component_credentials set secret = $3, vault_key_id = $4,
             replaced_at = clock_timestamp(), tested_at = null, test_ok = null, test_detail = null
           where organization_id = $1 and component_credential_id = $2 returning ${columns}`,
    values: [organizationId, credentialId, secret, vaultKeyId],
  });
  return rows.map(recordOf)[0];
}

/** @returns undefined if there is no such credential */
export async function deleteCredential(
  tx: Queryable,
  organizationId: string,
  credentialId: string,
): Promise<ComponentCredentialRecord | undefined> {
  const { rows } = await tx.query<CredentialRow>({
    name: 'delete-component-credential',
    text: `delete from component_credentials
           where organization_id = $1 and component_credential_id = $2 returning ${columns}`,
    values: [organizationId, credentialId],
  });
  return rows.map(recordOf)[0];
}

/** Returns the credentials of the organization with these ids, in no particular order. */
export async function findComponentCredentials(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<ComponentCredentialRecord[]> {
  const { rows } = await db.query<CredentialRow>({
    name: 'find-component-credentials',
    text: `select ${columns} from component_credentials
           where organization_id = $1 and component_credential_id = any($2)`,
    values: [organizationId, ids],
  });
  return rows.map(recordOf);
}

/** Returns the standby credentials, one of each kind and provider at most: calls use them in addition to the credentials that their agent binds. */
export async function findStandbyCredentials(
  db: Queryable,
  organizationId: string,
): Promise<ComponentCredentialRecord[]> {
  const { rows } = await db.query<CredentialRow>({
    name: 'find-standby-credentials',
    text: `select ${columns} from component_credentials where organization_id = $1 and standby`,
    values: [organizationId],
  });
  return rows.map(recordOf);
}

/** A credential with its encrypted secret. */
export interface SealedCredential {
  readonly componentCredentialId: string;
  readonly kind: ComponentCredentialKind;
  readonly provider: string;
  readonly secret: Buffer;
  /** Empty: the public address of the provider. */
  readonly baseUrl: string;
  readonly replacedAt: Date | null;
}

const sealedOf = (row: CredentialRow & { readonly secret: Buffer }): SealedCredential => ({
  componentCredentialId: row.component_credential_id,
  kind: row.kind,
  provider: row.provider,
  secret: row.secret,
  baseUrl: row.base_url ?? '',
  replacedAt: row.replaced_at,
});

/** Returns the credentials of the organization with these ids and their encrypted secrets, for callers that decrypt them. */
export async function findSealedCredentials(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<SealedCredential[]> {
  const { rows } = await db.query<CredentialRow & { readonly secret: Buffer }>({
    name: 'find-sealed-credentials',
    text: `select ${columns}, secret from component_credentials
           where organization_id = $1 and component_credential_id = any($2)`,
    values: [organizationId, ids],
  });
  return rows.map(sealedOf);
}

/** Returns the organization's standby credential of this kind and provider. */
export async function findSealedStandby(
  db: Queryable,
  organizationId: string,
  kind: string,
  provider: string,
): Promise<SealedCredential | undefined> {
  const { rows } = await db.query<CredentialRow & { readonly secret: Buffer }>({
    name: 'find-sealed-standby-credential',
    text: `select ${columns}, secret from component_credentials
           where organization_id = $1 and kind = $2 and provider = $3 and standby`,
    values: [organizationId, kind, provider],
  });
  return rows.map(sealedOf)[0];
}

export interface TestResult {
  /** Identifies the secret that was tested: when it replaced an earlier one. */
  readonly replacedAt: Date | null;
  readonly ok: boolean;
  readonly detail: string;
}

/** @returns false if the credential was deleted or its secret was replaced */
export async function recordTestResult(
  tx: Queryable,
  organizationId: string,
  credentialId: string,
  { replacedAt, ok, detail }: TestResult,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'record-credential-test',
    text: `update component_credentials set tested_at = clock_timestamp(), test_ok = $4, test_detail = $5
           where organization_id = $1 and component_credential_id = $2
             and replaced_at is not distinct from $3::timestamptz`,
    values: [organizationId, credentialId, replacedAt, ok, detail],
  });
  return rowCount === 1;
}
