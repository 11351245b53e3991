import type { OutboundPolicyUpdate } from '@parley/contract';
import { conflict } from '@parley/errors';
import { append } from '@parley/outbox';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { auditEvent, requireMatch } from '@parley/service';
import { announcementOf } from './announcements.rules';
import { callableCountries } from './organization-policy.rules';
import { readPolicy, writePolicy, type StoredPolicy } from './policies.sql';
import { type ReadControls, loadOrCreateState } from '../books';
import type { Telephony } from '../telephony';

type Needs = Pick<Telephony, 'db' | 'openOrganization' | 'onCommit'>;

/** The rules that apply to a call in progress, in either direction. */
export interface CallRules {
  /** See `announcementOf`. */
  readonly announcement: string | null | undefined;
  /** Maximum cost in micro-USD; undefined: unlimited. */
  readonly mostMicros: number | undefined;
}

/** Resolves the current rules for calls of an organization in a language. */
export const rulesOfCalls =
  (db: Queryable) =>
  async (organizationId: string, language: string): Promise<CallRules> => {
    const stored = await readPolicy(db, organizationId);
    const rules = JSON.parse(stored?.body ?? '{}') as OutboundPolicyUpdate;
    return { announcement: announcementOf(rules, language), mostMicros: rules.call_spend_micros ?? undefined };
  };

/** See `callableCountries`. */
export const readCallableCountries = async (db: Queryable, organizationId: string): Promise<string[]> =>
  callableCountries((await readPolicy(db, organizationId))?.body);

/** JSON of OutboundPolicyRecord. @throws NotFoundError for an unknown organization */
export async function getPolicy(telephony: Needs, organizationId: string): Promise<ReadControls> {
  await loadOrCreateState(telephony, organizationId);
  return rendered(organizationId, await readPolicy(telephony.db, organizationId));
}

/**
 * Replaces an organization's own rules. They apply to calls requested from then on. Waiting calls were already evaluated; before they are dialed only quiet
 * hours are checked again.
 * @throws ConflictError for a stale If-Match; NotFoundError
 */
export async function setPolicy(
  telephony: Needs,
  organizationId: string,
  ifMatch: string,
  body: () => OutboundPolicyUpdate,
  context: OutgoingContext,
): Promise<ReadControls> {
  await loadOrCreateState(telephony, organizationId);
  const before = await readPolicy(telephony.db, organizationId);
  const value = body();
  requireMatch(ifMatch, rendered(organizationId, before).etag);
  const after = await telephony.db.transaction(async (tx) => {
    const written = await writePolicy(tx, organizationId, before?.revision ?? 0, JSON.stringify(value));
    if (written === undefined) throw conflict('the policy was changed by another request');
    const act = { organizationId, action: 'policy.changed', subject: organizationId, detail: { ...value } };
    await append(tx, [auditEvent(act, written.updated_at, context)]);
    return written;
  });
  telephony.onCommit(false);
  return rendered(organizationId, after);
}

function rendered(organizationId: string, stored: StoredPolicy | undefined): ReadControls {
  const rules = JSON.parse(stored?.body ?? '{}') as OutboundPolicyUpdate;
  const body = JSON.stringify({
    organization_id: organizationId,
    destination_countries: rules.destination_countries ?? null,
    quiet_hours: rules.quiet_hours ?? null,
    consent_required: rules.consent_required ?? null,
    caps: rules.caps ?? null,
    recording_announcements: rules.recording_announcements ?? null,
    call_spend_micros: rules.call_spend_micros ?? null,
    updated_at: stored?.updated_at.toISOString() ?? null,
  });
  return { body, etag: `"${organizationId}.policy.${stored?.revision ?? 0}"` };
}
