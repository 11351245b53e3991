import { AppError } from '@parley/errors';
import type { WindowCounter } from './window-counter';

export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

const entryPattern = /^(org_[0-9a-z]{26})=([1-9][0-9]{0,8})\/([1-9][0-9]{0,4})$/;

/** Reads the RATE_LIMITS setting: `<organization id>=<requests>/<seconds>[,...]`; empty: none. Throws one Error that lists every fault. */
export function parseRateLimits(text: string): ReadonlyMap<string, RateLimit> {
  const limits = new Map<string, RateLimit>();
  const faults: string[] = [];
  const entries = text.split(',').map((entry) => entry.trim());
  entries.forEach((entry, index) => {
    if (entry === '') return;
    const [, organizationId = '', requests, seconds] = entryPattern.exec(entry) ?? [];
    if (organizationId === '') faults.push(`entry ${index + 1}: must be <organization id>=<requests>/<seconds>`);
    else if (limits.has(organizationId)) faults.push(`entry ${index + 1}: ${organizationId} stands twice`);
    else limits.set(organizationId, { requests: Number(requests), windowSeconds: Number(seconds) });
  });
  if (faults.length > 0) throw new Error(faults.join('; '));
  return limits;
}

/** What a limited request's answer says of the limit, whatever its outcome. */
export type RateLimitHeaders = Readonly<Record<'RateLimit-Policy' | 'RateLimit', string>>;

/** Requests of an organization, counted over all replicas; off where none is configured for it (docs/reference/requests.md). */
export class RateLimits {
  constructor(
    private readonly limits: ReadonlyMap<string, RateLimit>,
    private readonly counter: Pick<WindowCounter, 'add'>,
  ) {}

  /**
   * Counts a request. `tell` is given the headers before anything is thrown.
   * @throws AppError rate_limited with the seconds until the window ends
   */
  async admit(organizationId: string, tell: (headers: RateLimitHeaders) => void): Promise<void> {
    const limit = this.limits.get(organizationId);
    if (limit === undefined) return;
    const { requests, windowSeconds } = limit;
    const { count, secondsLeft } = await this.counter.add(`requests:${organizationId}`, windowSeconds);
    tell({
      'RateLimit-Policy': `"organization";q=${requests};w=${windowSeconds}`,
      RateLimit: `"organization";r=${Math.max(0, requests - count)};t=${secondsLeft}`,
    });
    if (count <= requests) return;
    throw new AppError('rate_limited', 'the organization made more requests than it may', {
      fields: { retry_after_seconds: secondsLeft },
    });
  }

  /** Whether any is configured: without one nothing waits for a turn of the event loop. */
  has(organizationId: string): boolean {
    return this.limits.has(organizationId);
  }
}
