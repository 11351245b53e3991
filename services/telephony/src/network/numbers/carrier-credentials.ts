import type { CarrierCredentialCreate, ListQuery } from '@parley/contract';
import { conflict, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import {
  auditEvent,
  creating,
  pageDocument,
  pagePosition,
  findStoredResponse,
  type CreatingRequest,
  type PublicResult,
} from '@parley/service';
import {
  findCarrierCredential,
  listCarrierCredentialRows,
  lockCarrierCredential,
  writeCarrierCredential,
  type CarrierCredentialRow,
} from './carrier-credentials.sql';
import { keepOnlyAccount } from './numbers.sql';
import { loadOrCreateState } from '../../books';
import type { Telephony } from '../../telephony';

/** The purpose under which the vault encrypts carriers' tokens. */
export const carrierPurpose = 'carrier-credential';

/**
 * Stores an organization's account at a carrier, or replaces its token. Numbers keep the account they use. Reads never return the token.
 * @throws NotFoundError for an unknown organization; ConflictError if another request is storing the account concurrently
 */
export async function createCarrierCredential(
  telephony: Pick<Telephony, 'db' | 'vault' | 'openOrganization' | 'onCommit'>,
  request: CreatingRequest,
  body: () => CarrierCredentialCreate,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { organizationId } = request;
  const earlier = await findStoredResponse(telephony.db, request);
  if (earlier !== undefined) return { body: earlier.body, replayed: true };
  const { provider, account_sid: accountSid, auth_token: authToken } = body();
  await loadOrCreateState(telephony, organizationId);
  const work = async (tx: Queryable) => {
    const known = await lockCarrierCredential(tx, organizationId, provider, accountSid);
    if (known === undefined) await keepOnlyAccount(tx, organizationId, provider);
    const carrierCredentialId = known ?? newId('cred');
    const sealed = telephony.vault.seal(authToken, {
      organizationId,
      purpose: carrierPurpose,
      recordId: carrierCredentialId,
    });
    const vaultKeyId = telephony.vault.keyIdOf(sealed);
    const credential = { carrierCredentialId, provider, accountSid, authToken: sealed, vaultKeyId };
    const row = await writeCarrierCredential(tx, organizationId, credential);
    if (row === undefined) throw conflict('the account was stored by another request');
    const action = known === undefined ? 'carrier_credential.created' : 'carrier_credential.replaced';
    const act = { organizationId, action, subject: carrierCredentialId, detail: { provider, account_sid: accountSid } };
    await append(tx, [auditEvent(act, row.updated_at, context)]);
    const rendered = render(row);
    return { status: 201, body: rendered, recordId: carrierCredentialId, value: rendered };
  };
  const { value: created, stored } = await creating(telephony.db, request, work, { recalled: true });
  telephony.onCommit(false);
  return { body: created ?? stored?.body ?? '', replayed: created === undefined };
}

/** @throws NotFoundError */
export async function getCarrierCredential(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  carrierCredentialId: string,
): Promise<string> {
  const row = await findCarrierCredential(db, organizationId, carrierCredentialId);
  if (row === undefined) throw notFound('carrier credential');
  return render(row);
}

/** A page, newest first. */
export async function listCarrierCredentialPage(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  query: ListQuery,
): Promise<string> {
  const { limit, after } = pagePosition(query);
  const rows = await listCarrierCredentialRows(db, organizationId, after?.[0] ?? '', limit + 1);
  return pageDocument(rows, limit, render, (row) => [row.carrier_credential_id]);
}

const render = (row: CarrierCredentialRow): string =>
  JSON.stringify({
    carrier_credential_id: row.carrier_credential_id,
    organization_id: row.organization_id,
    provider: row.provider,
    account_sid: row.account_sid,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  });
