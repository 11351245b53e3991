import type { ControlsUpdate } from '@parley/contract';
import { conflict } from '@parley/errors';
import { append } from '@parley/outbox';
import type { OutgoingContext } from '@parley/runtime';
import { auditEvent, requireMatch } from '@parley/service';
import { readState, writeLimits, type ReadState } from './organization-state.sql';
import type { OrganizationLimits } from './organization-state.rules';
import { loadOrCreateState } from './ensure-organization-state';
import type { Telephony } from '../../telephony';

type Needs = Pick<Telephony, 'db' | 'openOrganization' | 'onCommit'>;

/** The JSON of the controls and its entity tag. */
export interface ReadControls {
  readonly body: string;
  readonly etag: string;
}

/** JSON of ControlsRecord. @throws NotFoundError for an unknown organization */
export async function getControls(telephony: Needs, organizationId: string): Promise<ReadControls> {
  return rendered(organizationId, await loadOrCreateState(telephony, organizationId));
}

/**
 * Replaces an organization's limits. The new limits apply to every admission that is not written yet.
 * @throws ConflictError for a stale If-Match; NotFoundError
 */
export async function setControls(
  telephony: Needs,
  organizationId: string,
  ifMatch: string,
  body: () => ControlsUpdate,
  context: OutgoingContext,
): Promise<ReadControls> {
  const before = await loadOrCreateState(telephony, organizationId);
  const value = body();
  requireMatch(ifMatch, rendered(organizationId, before).etag);
  const limits = limitsOf(value);
  const after = await telephony.db.transaction(async (tx) => {
    if (!(await writeLimits(tx, organizationId, before.limitsRevision, limits))) {
      throw conflict('the limits were changed by another request');
    }
    const written = await readState(tx, organizationId);
    if (written === undefined) throw new Error('no row of limits was updated');
    const act = { organizationId, action: 'controls.changed', subject: organizationId, detail: { ...value } };
    await append(tx, [auditEvent(act, written.limitsUpdatedAt, context)]);
    return written;
  });
  telephony.onCommit(false);
  return rendered(organizationId, after);
}

const limitsOf = (value: ControlsUpdate): OrganizationLimits => ({
  queueCap: value.queued_calls ?? null,
  liveCallsCap: value.live_calls ?? null,
  callsPerMinute: value.calls_per_minute ?? null,
  callsPerHour: value.calls_per_hour ?? null,
  dailySpendCapMicros: value.daily_spend_micros ?? null,
});

function rendered(organizationId: string, { state, limitsRevision, limitsUpdatedAt }: ReadState): ReadControls {
  const { limits } = state;
  const body = JSON.stringify({
    organization_id: organizationId,
    live_calls: limits.liveCallsCap,
    calls_per_minute: limits.callsPerMinute,
    calls_per_hour: limits.callsPerHour,
    daily_spend_micros: limits.dailySpendCapMicros,
    queued_calls: limits.queueCap,
    updated_at: limitsUpdatedAt.toISOString(),
  });
  return { body, etag: `"${organizationId}.controls.${limitsRevision}"` };
}
