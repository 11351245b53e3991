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
 * are released, with an entry in their audit logs. Verifying a verified number changes nothing.
 * @throws NotFoundError; ConflictError if no account owns the number, and if another organization verified it earlier; internal_error 502 if the carrier gave
 * no result
 */
export async function verifyNumber(
  telephony: Needs,
  { organizationId: named, numberId, byOperator }: VerifyNumberInput,
  context: OutgoingContext,
): Promise<PublicResult> {
  const found = await findNumberRecord(telephony, named, numberId);
  if (found.verified_at !== null) return numberResult(found);
  const { organization_id: organizationId, phone_number: phoneNumber } = found;
  if (!byOperator) await requireOwned(telephony, found);
  const after = await telephony.db.transaction(async (tx) => {
    await lockPhoneNumber(tx, phoneNumber);
    const before = await lockNumber(tx, organizationId, numberId);
    if (before === undefined) throw notFound('number');
    if (before.verified_at !== null) return before;
    if (await isVerifiedElsewhere(tx, organizationId, phoneNumber)) throw conflict('phone_number is in use');
    await displace(tx, found);
    const written = await writeVerified(tx, organizationId, numberId);
    if (written === undefined) throw notFound('number');
    await auditNumber(tx, 'number.verified', written, written.updated_at, context);
    return written;
  });
  telephony.onCommit(false);
  return numberResult(after);
}

/** Checks that one of the organization's accounts owns the number. @throws ConflictError; internal_error 502 */
async function requireOwned(telephony: Needs, number: NumberRow): Promise<void> {
  const { organization_id: organizationId, provider, phone_number: phoneNumber } = number;
  const owns = isMessageProvider(provider) ? telephony.carriers[provider].owns : undefined;
  if (owns === undefined) throw conflict(`an operator must verify numbers of provider ${provider}`);
  const accounts = await listCarrierAccounts(telephony.db, organizationId, provider, mostAccounts);
  if (accounts.length === 0) throw conflict(`no account at ${provider} is stored: POST /v1/carrier-credentials`);
  const answers: readonly Ownership[] = await Promise.all(
    accounts.map((account) => owns(phoneNumber, openAccount(telephony.vault, organizationId, account))),
  );
  if (answers.some(({ outcome }) => outcome === 'owned')) return;
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
