import { hash } from 'node:crypto';
import { addressesIn, expandScopes } from '@parley/contract';
import { AppError, internal, unauthorized } from '@parley/errors';
import type { Principal } from '@parley/proto/auth';
import {
  verificationMaxAgeMs,
  type Caller,
  type Clock,
  type ControlStateMirror,
  type OutgoingContext,
} from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import type { KeyLookup } from './key-lookup';
import { SingleFlight } from './single-flight';
import type { LastUsedRecorder } from './last-used-recorder';
import type { LimitedCaller } from './rate-limits';

/** Maximum of cached verified keys; each needs about 2 KB. */
const capacity = 10_000;

interface Verified {
  readonly caller: LimitedCaller;
  /** The control epoch in auth's response. */
  readonly epoch: bigint;
  /** The generation of the control state at the time of the request to auth. */
  readonly generation: number;
  /** Time of the request to auth by the monotonic clock. */
  readonly askedMs: number;
  /** Milliseconds since 1970; Infinity for a key without expiry. */
  readonly expiresAtMs: number;
  /** Whether the key may be used from this address. */
  readonly allows: (address: string) => boolean;
}

export interface PrincipalsOptions {
  readonly controlState: Pick<
    ControlStateMirror,
    'trusted' | 'refreshed' | 'isRevoked' | 'knowsSince' | 'epoch' | 'generation'
  >;
  readonly clock: Clock;
  readonly keyLookup: Pick<KeyLookup, 'lookUp'>;
  readonly lastUsed: Pick<LastUsedRecorder, 'note'>;
}

/**
 * Resolves tokens to principals. A verified key is cached under a digest of its token and checked against the polled control state at each use. While that
 * state is not current, it is first requested from auth (docs/reference/keys.md, control state).
 */
export class Principals {
  private readonly verified = new LRUCache<string, Verified>({ max: capacity });
  private readonly flights = new SingleFlight<Verified>();

  constructor(private readonly options: PrincipalsOptions) {}

  /**
   * Resolves a token to its principal; see the class.
   * @param token with valid syntax and checksum
   * @param address from which the key must be allowed
   * @param group whose budget of invalid keys a look-up is charged to
   * @throws AppError UnauthorizedError for an unknown, revoked or expired key and for one that may not be used from the address; internal_error 503 if auth is
   * unavailable; rate_limited if thousands of unknown keys of the address are waiting
   */
  async verifyCaller(
    token: string,
    context: OutgoingContext,
    address: string,
    group = address,
  ): Promise<LimitedCaller> {
    const { controlState } = this.options;
    const digest = hash('sha256', token, 'base64url');
    const known = this.verified.get(digest);
    let verified =
      known !== undefined && this.isUsable(known) ? known : await this.verify(digest, token, context, group);
    // Checked after the look-up, so that a slow response is also compared with a state that is at most one second old.
    if (!controlState.trusted()) await this.answered(controlState.refreshed());
    // A first or complete new state arrived after the request to auth. It does not contain earlier revocations, so the key is verified again.
    if (!this.isUsable(verified)) verified = await this.verify(digest, token, context, group);
    if (!this.isUsable(verified)) throw internal(new Error('the key was verified too long ago'), 503);
    if (controlState.isRevoked(verified.caller.keyId) || this.options.clock.now().getTime() >= verified.expiresAtMs) {
      // The key stays cached, because otherwise each use of an expired key would cost a look-up.
      throw unauthorized();
    }
    if (!verified.allows(address)) throw unauthorized();
    this.options.lastUsed.note(verified.caller.keyId, address);
    return verified.caller;
  }

  /** Whether the control state would show if the key had been revoked after its verification. */
  private isUsable({ epoch, generation, askedMs }: Verified): boolean {
    const { controlState, clock } = this.options;
    const young = clock.monotonicMs() - askedMs < verificationMaxAgeMs;
    return young && generation === controlState.generation && controlState.knowsSince(epoch);
  }

  /** Concurrent first uses of a key share one look-up. */
  private verify(digest: string, token: string, context: OutgoingContext, group: string): Promise<Verified> {
    return this.flights.run(digest, async () => {
      const { controlState, keyLookup, clock } = this.options;
      const asked = { generation: controlState.generation, askedMs: clock.monotonicMs() };
      const principal = await this.answered(keyLookup.lookUp(group, { token, context }));
      const verified = { ...verifiedOf(principal), ...asked };
      // Not cached if the response predates a change that is already applied here: the key may have been revoked since.
      if (verified.epoch >= BigInt(controlState.epoch)) this.verified.set(digest, verified);
      return verified;
    });
  }

  /** Any failure of auth becomes 503 internal_error, never 401. */
  private async answered<T>(pending: Promise<T>): Promise<T> {
    try {
      return await pending;
    } catch (error) {
      if (error instanceof AppError && error.code !== 'internal_error') throw error;
      throw internal(error, 503);
    }
  }
}

function verifiedOf(principal: Principal): Omit<Verified, 'generation' | 'askedMs'> {
  const expiresAtMs = Number(principal.expiresAtMs);
  const { allowedCidrs, deployment, requestsPerMinute, sessionOf, sharedLimits, rootKeyId } = principal;
  return {
    epoch: BigInt(principal.epoch),
    caller: {
      keyId: principal.keyId,
      organizationId: principal.organizationId,
      kind: kindOf(principal.kind),
      scopes: expandScopes(principal.scopes),
      ...(deployment !== '' && { deployment }),
      ...(sessionOf !== '' && { sessionOf }),
      ...(expiresAtMs !== 0 && { expiresAtMs }),
      ...(requestsPerMinute !== 0 && { requestsPerMinute }),
      ...(sharedLimits.length > 0 && { sharedLimits }),
      ...(rootKeyId !== '' && { rootKeyId }),
    },
    expiresAtMs: expiresAtMs === 0 ? Number.POSITIVE_INFINITY : expiresAtMs,
    allows: allowedCidrs.length === 0 ? () => true : addressesIn(allowedCidrs),
  };
}

function kindOf(kind: string): Caller['kind'] {
  switch (kind) {
    case 'customer':
    case 'operator':
    case 'hosted':
    case 'hosted_simulation':
    case 'gateway':
      return kind;
    default:
      throw internal(new Error(`auth returned a principal of an unknown kind: ${JSON.stringify(kind)}`));
  }
}
