import type { ComponentCredentialKind } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { Sealed } from '@parley/vault';
import type { ComponentCredentialRecord } from './component-credential.rules';
import { onlyRow, timeText, type PageBefore } from '../rows.rules';

interface CredentialRow {
  readonly component_credential_id: string;
  readonly organization_id: string;
  readonly kind: ComponentCredentialKind;
  readonly provider: string;
  readonly name: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly replaced_at: Date | null;
}

const columns = 'component_credential_id, organization_id, kind, provider, name, created_by, created_at, replaced_at';

const recordOf = (row: CredentialRow): ComponentCredentialRecord => ({
  componentCredentialId: row.component_credential_id,
  organizationId: row.organization_id,
  kind: row.kind,
  provider: row.provider,
  name: row.name,
  createdBy: row.created_by,
  createdAt: timeText(row.created_at),
  replacedAt: row.replaced_at === null ? '' : timeText(row.replaced_at),
});

export interface NewComponentCredential {
  readonly componentCredentialId: string;
  readonly kind: ComponentCredentialKind;
  readonly provider: string;
  readonly name: string;
  readonly secret: Sealed;
  readonly vaultKeyId: string;
  readonly createdBy: string;
}

export async function insertComponentCredential(
  tx: Queryable,
  organizationId: string,
  credential: NewComponentCredential,
): Promise<ComponentCredentialRecord> {
  const result = await tx.query<CredentialRow>({
    name: 'insert-component-credential',
    text: `insert into component_credentials (organization_id, component_credential_id, kind, provider, name, secret,
             vault_key_id, created_by)
           values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
    values: [
      organizationId,
      credential.componentCredentialId,
      credential.kind,
      credential.provider,
      credential.name,
      credential.secret,
      credential.vaultKeyId,
      credential.createdBy,
    ],
  });
  return recordOf(onlyRow(result));
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

/** Undefined: there is no such credential. */
export async function replaceSecret(
  tx: Queryable,
  organizationId: string,
  credentialId: string,
  { secret, vaultKeyId }: Pick<NewComponentCredential, 'secret' | 'vaultKeyId'>,
): Promise<ComponentCredentialRecord | undefined> {
  const { rows } = await tx.query<CredentialRow>({
    name: 'replace-component-secret',
    text: `update component_credentials set secret = $3, vault_key_id = $4, replaced_at = now()
           where (organization_id = $1) is true and component_credential_id = $2 returning ${columns}`,
    values: [organizationId, credentialId, secret, vaultKeyId],
  });
  return rows.map(recordOf)[0];
}

/** Undefined: there is no such credential. */
export async function deleteCredential(
  tx: Queryable,
  organizationId: string,
  credentialId: string,
): Promise<ComponentCredentialRecord | undefined> {
  const { rows } = await tx.query<CredentialRow>({
    name: 'delete-component-credential',
    text: `delete from component_credentials
           where (organization_id = $1) is true and component_credential_id = $2 returning ${columns}`,
    values: [organizationId, credentialId],
  });
  return rows.map(recordOf)[0];
}

/** Those of the ids that the organization has, in no order. */
export async function findComponentCredentials(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<ComponentCredentialRecord[]> {
  const { rows } = await db.query<CredentialRow>({
    name: 'find-component-credentials',
    text: `select ${columns} from component_credentials
           where (organization_id = $1) is true and component_credential_id = any($2)`,
    values: [organizationId, ids],
  });
  return rows.map(recordOf);
}
