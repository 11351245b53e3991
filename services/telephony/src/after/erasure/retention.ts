import type { RetentionUpdate } from '@parley/contract';
import { conflict } from '@parley/errors';
import { append } from '@parley/outbox';
import type { OutgoingContext } from '@parley/runtime';
import { auditEvent, requireMatch } from '@parley/service';
import { readRetention, writeRetention, type RetentionDays, type StoredRetention } from './retention-settings.sql';
import { type ReadControls, loadOrCreateState } from '../../books';
import type { Telephony } from '../../telephony';

type Needs = Pick<Telephony, 'db' | 'openOrganization' | 'onCommit' | 'erasuresWait'>;

/** JSON of RetentionRecord. @throws NotFoundError for an unknown organization */
export async function getRetention(telephony: Needs, organizationId: string): Promise<ReadControls> {
  await loadOrCreateState(telephony, organizationId);
  return rendered(organizationId, await readRetention(telephony.db, organizationId));
}

/**
 * Replaces an organization's retention settings. They apply to existing data too.
 * @throws ConflictError for a stale If-Match; NotFoundError
 */
export async function setRetention(
  telephony: Needs,
  organizationId: string,
  ifMatch: string,
  body: () => RetentionUpdate,
  context: OutgoingContext,
): Promise<ReadControls> {
  await loadOrCreateState(telephony, organizationId);
  const before = await readRetention(telephony.db, organizationId);
  const value = body();
  requireMatch(ifMatch, rendered(organizationId, before).etag);
  const after = await telephony.db.transaction(async (tx) => {
    const written = await writeRetention(tx, organizationId, before?.revision ?? 0, daysOf(value));
    if (written === undefined) throw conflict('retention was changed by another request');
    const act = { organizationId, action: 'retention.changed', subject: organizationId, detail: { ...value } };
    await append(tx, [auditEvent(act, written.updatedAt, context)]);
    return written;
  });
  telephony.onCommit(false);
  telephony.erasuresWait();
  return rendered(organizationId, after);
}

const daysOf = (value: RetentionUpdate): RetentionDays => ({
  callsDays: value.calls_days ?? null,
  contentDays: value.content_days ?? null,
  recordingsDays: value.recordings_days ?? null,
  messagesDays: value.messages_days ?? null,
});

function rendered(organizationId: string, stored: StoredRetention | undefined): ReadControls {
  const body = JSON.stringify({
    organization_id: organizationId,
    calls_days: stored?.callsDays ?? null,
    content_days: stored?.contentDays ?? null,
    recordings_days: stored?.recordingsDays ?? null,
    messages_days: stored?.messagesDays ?? null,
    updated_at: stored?.updatedAt.toISOString() ?? null,
  });
  return { body, etag: `"${organizationId}.retention.${stored?.revision ?? 0}"` };
}
