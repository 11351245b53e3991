import { badRequest } from '@parley/errors';

export interface MaintenanceRecord {
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

/** The window that a change describes, replacing the earlier one whole. BadRequestError when it ends before it starts. */
export function maintenanceOf(change: MaintenanceChange): MaintenanceRecord {
  const startsAt = instantOf(change.starts_at);
  const endsAt = instantOf(change.ends_at);
  if (startsAt !== '' && endsAt !== '' && endsAt <= startsAt) throw badRequest('ends_at: must be later than starts_at');
  return {
    active: change.active,
    retryAfterSeconds: change.retry_after_seconds ?? defaultRetryAfterSeconds,
    startsAt,
    endsAt,
    message: change.message ?? '',
  };
}

/** In UTC, so that two instants compare as text. */
const instantOf = (text: string | null | undefined): string =>
  text === undefined || text === null || text === '' ? '' : new Date(text).toISOString();
