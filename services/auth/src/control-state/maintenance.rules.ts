import { badRequest } from '@parley/errors';
import type { MaintenanceRecord as MaintenanceView } from '@parley/contract';
import { orNull } from '../rows.rules';

export interface MaintenanceRecord {
  /** False: there is no window. True: it is open between its times. */
  readonly active: boolean;
  readonly retryAfterSeconds: number;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly message: string;
}

export interface MaintenanceChange {
  readonly active: boolean;
  readonly retry_after_seconds?: number | null;
  readonly starts_at?: string | null;
  readonly ends_at?: string | null;
  readonly message?: string | null;
}

const defaultRetryAfterSeconds = 60;

/**
 * Returns the maintenance window that a change describes. It replaces the previous window completely. With `starts_at` the window is planned: it begins and
 * ends by itself, so sending back the `active` of a read changes nothing.
 * @throws BadRequestError if it ends before it starts
 */
export function maintenanceOf(change: MaintenanceChange): MaintenanceRecord {
  const startsAt = instantOf(change.starts_at);
  const endsAt = instantOf(change.ends_at);
  if (startsAt !== '' && endsAt !== '' && endsAt <= startsAt) throw badRequest('ends_at: must be later than starts_at');
  return {
    active: change.active || startsAt !== '',
    retryAfterSeconds: change.retry_after_seconds ?? defaultRetryAfterSeconds,
    startsAt,
    endsAt,
    message: change.message ?? '',
  };
}

/** Whether the window is open at this time of the database's clock. */
export function isOpen({ active, startsAt, endsAt }: MaintenanceRecord, now: Date): boolean {
  const at = now.toISOString();
  return active && (startsAt === '' || at >= startsAt) && (endsAt === '' || at < endsAt);
}

/** In UTC, so that two times can be compared as text. */
const instantOf = (text: string | null | undefined): string =>
  text === undefined || text === null || text === '' ? '' : new Date(text).toISOString();

/** The window as the API returns it: `active` is the state at `now`. */
export const maintenanceView = (maintenance: MaintenanceRecord, now: Date): MaintenanceView => ({
  active: isOpen(maintenance, now),
  retry_after_seconds: maintenance.retryAfterSeconds,
  starts_at: orNull(maintenance.startsAt),
  ends_at: orNull(maintenance.endsAt),
  message: orNull(maintenance.message),
});
