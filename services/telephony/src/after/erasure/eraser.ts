import { randomUUID } from 'node:crypto';
import type { WebhooksServiceServer } from '@parley/proto/webhooks';
import {
  newTraceparent,
  poller,
  serviceCaller,
  type GrpcClient,
  type Logger,
  type Poller,
  type Background,
  type Queryable,
} from '@parley/runtime';
import type { Telephony } from '../../telephony';
import { eraseCalls, eraseContacts, eraseImports, eraseMessages } from '../../books';
import { failErasure } from './erasures.sql';
import { claimErasure } from './erasures.cross-tenant.sql';
import { claimCopies, finishCopies } from './erased-copies.cross-tenant.sql';
import { eraseNumber } from './erase-number';
import { claimRetention, noteRetentionResult, type DueRetention } from './due-retention.cross-tenant.sql';
import { findOldCampaign, someContacts } from './old-campaigns.sql';
import {
  leftCalls,
  leftMessages,
  noteRetention,
  oldCalls,
  oldMessages,
  retentionPosition,
  type RetentionPage,
  type RetentionRule,
} from './retention-settings.sql';

export type ErasesEvents = Pick<GrpcClient<WebhooksServiceServer>, 'eraseEvents'>;

/** Number of copies erased per request. */
const copiesAtOnce = 100;
const deadlineMs = 30_000;
/** About fifteen hours, including the pauses between attempts. */
const attemptsAtMost = 100;

/** Erases phone numbers on request, and makes the webhooks service erase its copies of what was erased in this service. */
export function createEraser(telephony: Pick<Telephony, 'db'>, webhooks: ErasesEvents, log: Logger): Poller {
  const { db } = telephony;
  const eraseCopies = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const due = await claimCopies(db, copiesAtOnce);
      if (due === undefined) return;
      const { organizationId, copies } = due;
      const context = { caller: serviceCaller, requestId: randomUUID(), traceparent: newTraceparent() };
      const { events } = await webhooks.eraseEvents({ organizationId, resources: [...copies] }, context, {
        deadlineMs,
      });
      const resourceIds = copies.map(({ resourceId }) => resourceId);
      await finishCopies(db, organizationId, resourceIds, events);
    }
  };
  const eraseNumbers = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const erasure = await claimErasure(db);
      if (erasure === undefined) return;
      const { organizationId, erasureId, phoneNumber, attempts } = erasure;
      if (phoneNumber === null || attempts > attemptsAtMost) {
        log.error({ erasure_id: erasureId }, 'an erasure failed too often and was abandoned');
        await failErasure(db, organizationId, erasureId);
        continue;
      }
      await eraseNumber(telephony, { ...erasure, phoneNumber }, signal).catch((error: unknown) => {
        log.error({ err: error, erasure_id: erasureId }, 'an erasure could not continue; it is retried');
      });
    }
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    await eraseNumbers(signal);
    await eraseCopies(signal);
    // Continues the erasures that waited for the last of their copies.
    await eraseNumbers(signal);
  };
  return poller({ name: 'eraser', everyMs: 5_000, run, log });
}

/** Applies the organizations' retention settings. The failure of one organization delays no other; it is reported by a metric. */
export function createRetentionRunner(telephony: Pick<Telephony, 'db'>, log: Logger): Background {
  const { db } = telephony;
  const apply = async (due: DueRetention, signal: AbortSignal): Promise<void> => {
    try {
      await applyRetention(telephony, due, signal);
      if (due.failing) await noteRetentionResult(db, due.organizationId, false);
    } catch (error) {
      log.error(
        { err: error, organization_id: due.organizationId },
        'retention could not be applied; it is tried again',
      );
      await noteRetentionResult(db, due.organizationId, true);
    }
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const due = await claimRetention(db);
      if (due === undefined) return;
      await apply(due, signal);
    }
  };
  return poller({ name: 'retention-runner', everyMs: 5_000, run, log });
}

const batch = 500;

type Db = Pick<Telephony, 'db'>;

/** Applies an organization's retention rules to all records that are due. */
async function applyRetention(telephony: Db, due: DueRetention, signal: AbortSignal): Promise<void> {
  const { organizationId } = due;
  // The most comprehensive rule runs first: other rules need not process what it erased.
  const rules: readonly (readonly [RetentionRule, number | null])[] = [
    ['calls', due.callsDays],
    ['content', due.contentDays],
    ['recordings', due.recordingsDays],
    ['messages', due.messagesDays],
  ];
  for (const [rule, days] of rules) {
    if (days !== null) await applyRule(telephony, { organizationId, rule, days }, signal);
  }
  if (due.callsDays !== null) await removeOldContacts(telephony, organizationId, due.callsDays, signal);
}

interface Rule {
  readonly organizationId: string;
  readonly rule: RetentionRule;
  readonly days: number;
}

async function applyRule({ db }: Db, rule: Rule, signal: AbortSignal): Promise<void> {
  const { organizationId, rule: name, days } = rule;
  const ofMessages = name === 'messages';
  await db.transaction(async (tx) => {
    const left = await (ofMessages ? leftMessages : leftCalls)(tx, organizationId, name, days);
    await erasePage(tx, rule, left);
    await noteRetention(tx, organizationId, name, { early: [], through: left.due });
  });
  for (let ended = false; !ended && !signal.aborted;) {
    await db.transaction(async (tx) => {
      const position = await retentionPosition(tx, organizationId, name);
      const page = await (ofMessages ? oldMessages : oldCalls)(tx, organizationId, position, days, batch);
      ended = page.last === undefined;
      if (page.last === undefined) return;
      await erasePage(tx, rule, page);
      await noteRetention(tx, organizationId, name, { position: page.last, early: page.early, through: [] });
    });
  }
}

async function erasePage(tx: Queryable, { organizationId, rule }: Rule, { due }: RetentionPage): Promise<void> {
  const erasing = { organizationId, erasureId: null };
  if (rule === 'messages') await eraseMessages(tx, erasing, due);
  else await eraseCalls(tx, erasing, due, rule);
}

/** Deletes the contacts of campaigns that have been over for this many days. The campaigns' statistics stay. */
async function removeOldContacts({ db }: Db, organizationId: string, days: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const campaignId = await findOldCampaign(db, organizationId, days);
    if (campaignId === undefined) return;
    for (let removed = batch; removed === batch && !signal.aborted;) {
      removed = await db.transaction(async (tx) => {
        const found = await someContacts(tx, organizationId, campaignId, batch);
        return (await eraseContacts(tx, { organizationId, erasureId: null }, found)).length;
      });
    }
    await eraseImports(db, organizationId, { campaignId });
  }
}
