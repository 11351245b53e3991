import { AppError } from '@parley/errors';
import type { Caller } from '@parley/runtime';
import type { Counted as WindowCount, WindowCounter } from './window-counter';

export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

const windowSeconds = 60;

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

/** A limit of a key that also counts the requests of the keys that it minted, directly or through other keys. */
export interface SharedLimit {
  readonly keyId: string;
  readonly requestsPerMinute: number;
}

/** A caller with the limits that only the gateway applies; other services never receive them. */
export interface LimitedCaller extends Caller {
  /** Limits of the keys that minted this one, which count its requests too; absent: none. */
  readonly sharedLimits?: readonly SharedLimit[];
  /** The first of the keys of its organization that minted this one; absent: itself. */
  readonly rootKeyId?: string;
}

/** What decides as which key and organization a request counts. */
export type Counted = Pick<LimitedCaller, 'keyId' | 'organizationId' | 'sessionOf' | 'rootKeyId'>;
type Limited = Counted & Pick<LimitedCaller, 'requestsPerMinute' | 'sharedLimits'>;

/** Keys of workers carry the calls of an installation, so the default limit does not apply to them. */
const isForPeople = ({ kind, scopes }: Pick<Caller, 'kind' | 'scopes'>): boolean =>
  (kind === 'customer' || kind === 'operator') && !scopes.includes('worker_jobs:claim');

/** Sessions count as their key: creating them needs no scope, so that any key could multiply its limits. */
const countedAs = ({ keyId, sessionOf }: Counted): string => sessionOf ?? keyId;

/** The key under which its sessions and the keys that it minted are counted. */
export const rootKeyOf = (caller: Counted): string => caller.rootKeyId ?? countedAs(caller);

/** The most of something under a root key, which counts its sessions and the keys that it minted, and in an organization. */
export interface RootLimit {
  readonly perKey: number;
  readonly perOrganization: number;
}

/** The names under which something is counted, each with its maximum. A key without an organization has only its own. */
export function countedUnder(caller: Counted, { perKey, perOrganization }: RootLimit): readonly [string, number][] {
  const { organizationId } = caller;
  return organizationId === ''
    ? [[rootKeyOf(caller), perKey]]
    : [
        [rootKeyOf(caller), perKey],
        [organizationId, perOrganization],
      ];
}

/**
 * The limits of keys that count a request, the lowest first: that of its key, and those that this key shares. Its own limit is left out if a shared one is as
 * low, because that one counts the same requests and those of other keys.
 */
function keyLimitsOf(caller: Limited): readonly SharedLimit[] {
  const { requestsPerMinute, sharedLimits = [] } = caller;
  const shared = sharedLimits.toSorted((one, other) => one.requestsPerMinute - other.requestsPerMinute);
  const lowest = shared[0]?.requestsPerMinute ?? Infinity;
  if (requestsPerMinute === undefined || requestsPerMinute >= lowest) return shared;
  return [{ keyId: countedAs(caller), requestsPerMinute }, ...shared];
}

/** The result of one counter for a request. */
interface Measured {
  readonly limit: RateLimit;
  /** Requests until the limit is reached; 0 at least. */
  readonly left: number;
  readonly secondsLeft: number;
  /** Undefined: within the limit. */
  readonly retryAfterSeconds: number | undefined;
}

/** The headers show one limit of keys: the one that is reached first. */
const tightestFirst = (one: Measured, other: Measured): number =>
  one.left - other.left || one.limit.requests - other.limit.requests;

/** Request limits per organization and per key, counted over all replicas (docs/reference/requests.md). Inactive if neither has a limit. */
export class RateLimits {
  constructor(
    private readonly limits: ReadonlyMap<string, RateLimit>,
    private readonly counter: Pick<WindowCounter, 'add'>,
    /** The limit of a key that has no other one, for each replica. */
    private readonly byDefault?: { readonly perMinute: number; readonly counter: Pick<WindowCounter, 'addHere'> },
  ) {}

  /**
   * Counts a request. `setHeaders` is called with the headers before anything is thrown.
   * @throws AppError rate_limited with the seconds until the window ends
   */
  async admit(caller: Limited, setHeaders: (headers: RateLimitHeaders) => void): Promise<void> {
    const { organizationId } = caller;
    const ofOrganization = this.limits.get(organizationId);
    const [organizations, keys] = await Promise.all([
      Promise.all(ofOrganization ? [this.measure(organizationId, ofOrganization)] : []),
      this.measureKeys(keyLimitsOf(caller)),
    ]);
    report(
      [
        ...organizations.map((measured) => ({ name: 'organization', measured })),
        ...keys
          .toSorted(tightestFirst)
          .slice(0, 1)
          .map((measured) => ({ name: 'key', measured })),
      ],
      [...organizations, ...keys],
      setHeaders,
    );
  }

  /**
   * Counts a request of a key without any other limit, under its root key. The count is that of this replica, so that the request does not wait.
   * @throws AppError rate_limited with the seconds until the minute ends
   */
  admitByDefault(
    caller: Counted & Pick<Caller, 'kind' | 'scopes'>,
    setHeaders: (headers: RateLimitHeaders) => void,
  ): void {
    const { byDefault } = this;
    if (byDefault === undefined || byDefault.perMinute === 0 || !isForPeople(caller)) return;
    const limit = { requests: byDefault.perMinute, windowSeconds };
    const measured = measure(byDefault.counter.addHere(`requests:${rootKeyOf(caller)}`, windowSeconds), limit);
    report([{ name: 'key', measured }], [measured], setHeaders);
  }

  /**
   * Counts a request against limits of keys in their order, up to the first one that refuses it: a key that exceeds its own limit does not use up the limits
   * of the keys that minted it.
   */
  private async measureKeys(limits: readonly SharedLimit[]): Promise<readonly Measured[]> {
    const measured: Measured[] = [];
    for (const { keyId, requestsPerMinute } of limits) {
      const one = await this.measure(keyId, { requests: requestsPerMinute, windowSeconds });
      measured.push(one);
      if (one.retryAfterSeconds !== undefined) break;
    }
    return measured;
  }

  /** @param id of the organization or key */
  private async measure(id: string, limit: RateLimit): Promise<Measured> {
    return measure(await this.counter.add(`requests:${id}`, limit.windowSeconds), limit);
  }

  /** Whether the caller has any limit: if not, its requests need not wait for an event loop turn. */
  has({ organizationId, requestsPerMinute, sharedLimits = [] }: Limited): boolean {
    return requestsPerMinute !== undefined || sharedLimits.length > 0 || this.limits.has(organizationId);
  }
}

const measure = ({ count, secondsLeft }: WindowCount, limit: RateLimit): Measured => ({
  limit,
  left: Math.max(0, limit.requests - count),
  secondsLeft,
  retryAfterSeconds: count <= limit.requests ? undefined : secondsLeft,
});

/** Sets the headers of the `reported` counters, and then throws if one of all refuses the request. */
function report(
  reported: readonly { readonly name: string; readonly measured: Measured }[],
  all: readonly Measured[],
  setHeaders: (headers: RateLimitHeaders) => void,
): void {
  if (reported.length === 0) return;
  setHeaders({
    'RateLimit-Policy': reported
      .map(({ name, measured: { limit } }) => `"${name}";q=${limit.requests};w=${limit.windowSeconds}`)
      .join(', '),
    RateLimit: reported
      .map(({ name, measured }) => `"${name}";r=${measured.left};t=${measured.secondsLeft}`)
      .join(', '),
  });
  const waits = all.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  if (waits.length === 0) return;
  throw new AppError('rate_limited', 'the rate limit of the organization or the key is exceeded', {
    fields: { retry_after_seconds: Math.max(...waits) },
  });
}

/** Limits what costs more than a request, per root key, organization and minute, counted over all replicas. */
export class MinuteLimit {
  constructor(
    /** Mints also change the key state of every gateway. */
    private readonly name: 'mints' | 'previews' | 'lists of models',
    private readonly limit: RootLimit,
    private readonly counter: Pick<WindowCounter, 'add'>,
  ) {}

  /**
   * Counts in the order of `countedUnder`, up to the first that refuses: a key that exceeds its own limit does not use up that of its organization.
   * @throws AppError rate_limited with the seconds until the minute ends
   */
  async admit(caller: Counted): Promise<void> {
    for (const [id, most] of countedUnder(caller, this.limit)) {
      const { count, secondsLeft } = await this.counter.add(`${this.name}:${id}`, windowSeconds);
      if (count <= most) continue;
      throw new AppError('rate_limited', `${id} has reached its limit of ${most} ${this.name} in a minute`, {
        fields: { retry_after_seconds: secondsLeft },
      });
    }
  }
}
