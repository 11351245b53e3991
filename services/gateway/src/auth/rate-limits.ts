import { AppError } from '@parley/errors';
import type { Caller } from '@parley/runtime';
import type { WindowCounter } from './window-counter';

export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

const entryPattern = /^(org_[0-9a-z]{26})=([1-9][0-9]{0,8})\/([1-9][0-9]{0,4})$/;

/** Parses the setting RATE_LIMITS: `<organization id>=<requests>/<seconds>[,...]`; empty: none. Throws one Error that lists all errors. */
export function parseRateLimits(text: string): ReadonlyMap<string, RateLimit> {
  const limits = new Map<string, RateLimit>();
  const failures: string[] = [];
  const entries = text.split(',').map((entry) => entry.trim());
  entries.forEach((entry, index) => {
    if (entry === '') return;
    const [, organizationId = '', requests, seconds] = entryPattern.exec(entry) ?? [];
    if (organizationId === '') failures.push(`entry ${index + 1}: must be <organization id>=<requests>/<seconds>`);
    else if (limits.has(organizationId)) failures.push(`entry ${index + 1}: duplicate organization ${organizationId}`);
    else limits.set(organizationId, { requests: Number(requests), windowSeconds: Number(seconds) });
  });
  if (failures.length > 0) throw new Error(failures.join('; '));
  return limits;
}

/** The rate limit headers, which every response has, whatever its outcome. */
export type RateLimitHeaders = Readonly<Record<'RateLimit-Policy' | 'RateLimit', string>>;

type Counted = Pick<Caller, 'keyId' | 'sessionOf'>;
type Limited = Counted & Pick<Caller, 'organizationId' | 'requestsPerMinute'>;

/** Sessions count as their key: creating them needs no scope, so that any key could multiply its limits. */
const countedAs = ({ keyId, sessionOf }: Counted): string => sessionOf ?? keyId;

/** The result of one counter for a request. */
interface Judged {
  readonly policy: string;
  readonly left: string;
  /** Undefined: within the limit. */
  readonly retryAfterSeconds: number | undefined;
}

/** Request limits per organization and per key, counted over all replicas (docs/reference/requests.md). Inactive if neither has a limit. */
export class RateLimits {
  constructor(
    private readonly limits: ReadonlyMap<string, RateLimit>,
    private readonly counter: Pick<WindowCounter, 'add'>,
  ) {}

  /**
   * Counts a request. `setHeaders` is called with the headers before anything is thrown.
   * @throws AppError rate_limited with the seconds until the window ends
   */
  async admit(caller: Limited, setHeaders: (headers: RateLimitHeaders) => void): Promise<void> {
    const { organizationId, requestsPerMinute } = caller;
    const ofOrganization = this.limits.get(organizationId);
    const ofKey = requestsPerMinute === undefined ? undefined : { requests: requestsPerMinute, windowSeconds: 60 };
    const judged = await Promise.all([
      ...(ofOrganization ? [this.judge('organization', organizationId, ofOrganization)] : []),
      ...(ofKey ? [this.judge('key', countedAs(caller), ofKey)] : []),
    ]);
    if (judged.length === 0) return;
    setHeaders({
      'RateLimit-Policy': judged.map(({ policy }) => policy).join(', '),
      RateLimit: judged.map(({ left }) => left).join(', '),
    });
    const waits = judged.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
    if (waits.length === 0) return;
    throw new AppError('rate_limited', 'the rate limit of the organization or the key is exceeded', {
      fields: { retry_after_seconds: Math.max(...waits) },
    });
  }

  private async judge(
    name: 'organization' | 'key',
    id: string,
    { requests, windowSeconds }: RateLimit,
  ): Promise<Judged> {
    const { count, secondsLeft } = await this.counter.add(`requests:${id}`, windowSeconds);
    return {
      policy: `"${name}";q=${requests};w=${windowSeconds}`,
      left: `"${name}";r=${Math.max(0, requests - count)};t=${secondsLeft}`,
      retryAfterSeconds: count <= requests ? undefined : secondsLeft,
    };
  }

  /** Whether the caller has any limit: if not, its requests need not wait for an event loop turn. */
  has({ organizationId, requestsPerMinute }: Limited): boolean {
    return requestsPerMinute !== undefined || this.limits.has(organizationId);
  }
}

const windowSeconds = 60;

/** Limits key creations and revocations per key and minute, counted over all replicas, because each of them changes the key state of every gateway. */
export class MintLimit {
  constructor(
    private readonly most: number,
    private readonly counter: Pick<WindowCounter, 'add'>,
  ) {}

  /** @throws AppError rate_limited with the seconds until the minute ends */
  async admit(caller: Counted): Promise<void> {
    const { count, secondsLeft } = await this.counter.add(`mints:${countedAs(caller)}`, windowSeconds);
    if (count <= this.most) return;
    throw new AppError('rate_limited', `the key created and revoked ${this.most} credentials in a minute`, {
      fields: { retry_after_seconds: secondsLeft },
    });
  }
}
