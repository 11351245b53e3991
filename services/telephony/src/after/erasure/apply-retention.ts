import type { Queryable } from '@parley/runtime';
import { eraseCalls, eraseContacts, eraseImports, eraseMessages } from '../../books';
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
import type { DueRetention } from './due-retention.cross-tenant.sql';
import type { Telephony } from '../../telephony';

const batch = 500;

type Db = Pick<Telephony, 'db'>;

/** Applies an organization's retention rules to all records that are due. */
export async function applyRetention(telephony: Db, due: DueRetention, signal: AbortSignal): Promise<void> {
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
