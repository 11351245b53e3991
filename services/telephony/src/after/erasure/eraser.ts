import type { WebhooksServiceServer } from '@parley/proto/webhooks';
import {
  newTraceparent,
  poller,
  serviceCaller,
  type GrpcClient,
  type Logger,
  type Poller,
  type Background,
} from '@parley/runtime';
import { randomUUID } from 'node:crypto';
import { failErasure } from './erasures.sql';
import { claimErasure } from './erasures.cross-tenant.sql';
import { claimCopies, finishCopies } from './erased-copies.cross-tenant.sql';
import { eraseNumber } from './erase-number';
import { claimRetention, noteRetentionResult, type DueRetention } from './due-retention.cross-tenant.sql';
import { applyRetention } from './apply-retention';
import type { Telephony } from '../../telephony';

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
