import { isAccountCarrier } from '@parley/contract';
import { conflict, internal, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { auditEvent, type PublicResult } from '@parley/service';
import type { Ownership, Network } from '../carriers/carrier';
import { isMessageProvider } from '../carriers/message-providers.rules';
import { listCarrierAccounts } from './carrier-credentials.sql';
import { lockNumber, lockPhoneNumber, writeVerified, type NumberRow } from './numbers.sql';
import { displaceOthers, isVerifiedElsewhere } from './number-owner.cross-tenant.sql';
import { openAccount } from './carrier-account';
import { auditNumber, findNumberRecord, numberResult } from './numbers';
import type { Telephony } from '../../telephony';

type Needs = Pick<Telephony, 'db' | 'vault' | 'onCommit'> & Pick<Network, 'carriers'>;

export interface VerifyNumberInput {
  readonly organizationId: string;
  readonly numberId: string;
  /** Whether an operator confirms the number, so that no carrier is queried. */
  readonly byOperator: boolean;
}

/** Maximum of the organization's accounts queried at the carrier, latest first. */
const mostAccounts = 5;

/**
 * Verifies an organization's number: one of its accounts at the number's carrier must own the number, or an operator confirms it. Claims of other organizations
 * are released, with an entry in their audit logs. The account that owns the number is used for its calls and messages from then on: verifying a verified number
 * again moves it to the account that owns it now.
 * @throws NotFoundError; ConflictError if no account owns the number, and if another organization verified it earlier; internal_error 502 if the carrier gave
 * no result
 */
export async function verifyNumber(
  telephony: Needs,
  { organizationId: named, numberId, byOperator }: VerifyNumberInput,
  context: OutgoingContext,
): Promise<PublicResult> {
  const found = await findNumberRecord(telephony, named, numberId);
  if (found.verified_at !== null && (byOperator || !isAccountCarrier(found.provider))) return numberResult(found);
  const { organization_id: organizationId, phone_number: phoneNumber } = found;
  const owner = byOperator ? undefined : await findOwner(telephony, found);
  const after = await telephony.db.transaction(async (tx) => {
    await lockPhoneNumber(tx, phoneNumber);
    const before = await lockNumber(tx, organizationId, numberId);
    if (before === undefined) throw notFound('number');
    const carrierCredentialId = owner ?? before.carrier_credential_id;
    if (before.verified_at !== null && before.carrier_credential_id === carrierCredentialId) return before;
    if (await isVerifiedElsewhere(tx, organizationId, phoneNumber)) throw conflict('phone_number is in use');
    await displace(tx, found);
    const written = await writeVerified(tx, organizationId, numberId, carrierCredentialId);
    if (written === undefined) throw notFound('number');
    await auditNumber(tx, 'number.verified', written, written.updated_at, context);
    return written;
  });
  telephony.onCommit(false);
  return numberResult(after);
}

/** The one of the organization's accounts that owns the number. @throws ConflictError; internal_error 502 */
async function findOwner(telephony: Needs, number: NumberRow): Promise<string> {
  const { organization_id: organizationId, provider, phone_number: phoneNumber } = number;
  const owns = isMessageProvider(provider) ? telephony.carriers[provider].owns : undefined;
  if (owns === undefined) throw conflict(`an operator must verify numbers of provider ${provider}`);
  const accounts = await listCarrierAccounts(telephony.db, organizationId, provider, mostAccounts);
  if (accounts.length === 0) throw conflict(`no account at ${provider} is stored: POST /v1/carrier-credentials`);
  const answers: readonly Ownership[] = await Promise.all(
    accounts.map((account) => owns(phoneNumber, openAccount(telephony.vault, organizationId, account))),
  );
  const owners = accounts.filter((_, index) => answers[index]?.outcome === 'owned');
  const ids = owners.map(({ carrierCredentialId }) => carrierCredentialId);
  const current = ids.find((id) => id === number.carrier_credential_id);
  if (current === undefined && ids.length > 1) throw conflict('several stored accounts own phone_number');
  const owner = current ?? ids[0];
  if (owner !== undefined) return owner;
  const unknown = answers.find((answer) => answer.outcome === 'unknown');
  if (unknown !== undefined) throw internal(new Error(`the carrier could not be queried: ${unknown.detail}`), 502);
  const refused = answers.every(({ outcome }) => outcome === 'refused');
  throw conflict(refused ? 'the carrier refused the stored accounts' : 'no stored account owns phone_number');
}

/** Releases the claims of other organizations. Their audit entries do not contain which organization verified the number. */
async function displace(tx: Queryable, number: NumberRow): Promise<void> {
  const { organization_id: winner, phone_number: phoneNumber } = number;
  const displaced = await displaceOthers(tx, winner, phoneNumber);
  // The actor belongs to another organization: its key, IP address and trace must not appear in this audit log.
  const events = displaced.map(({ organizationId, numberId: subject, projectId, provider, at }) => {
    const detail = { phone_number: phoneNumber, project_id: projectId, provider, reason: 'verified_elsewhere' };
    return auditEvent({ organizationId, action: 'number.displaced', subject, detail }, at, {});
  });
  await append(tx, events);
}
