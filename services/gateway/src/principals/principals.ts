import { hash } from 'node:crypto';
import { expandScopes } from '@parley/contract';
import { AppError, internal, unauthorized } from '@parley/errors';
import type { Principal } from '@parley/proto/auth';
import type { Caller, Clock, ControlStateMirror, OutgoingContext } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import type { WrongKeys } from '../limits/wrong-keys';
import { SingleFlight } from '../single-flight';
import type { KeyUse } from './key-use';

/** Verified keys that are remembered; about 2 KB each. */
const capacity = 10_000;

interface Verified {
  readonly caller: Caller;
  /** The control epoch at which auth said so. */
  readonly epoch: bigint;
  /** Milliseconds since 1970; Infinity for a key without an end. */
  readonly expiresAtMs: number;
}

export interface PrincipalsOptions {
  readonly controlState: Pick<ControlStateMirror, 'trusted' | 'refreshed' | 'isRevoked' | 'knowsSince' | 'epoch'>;
  readonly clock: Clock;
  readonly wrongKeys: Pick<WrongKeys, 'lookUp'>;
  readonly keyUse: Pick<KeyUse, 'note'>;
}

/**
 * Who a token belongs to. A verified key is remembered under a digest of its token and judged by the polled control state
 * at each use; while that state cannot be trusted, auth is asked first (decisions section 3, control state).
 */
export class Principals {
  private readonly verified = new LRUCache<string, Verified>({ max: capacity });
  private readonly flights = new SingleFlight<Verified>();

  constructor(private readonly options: PrincipalsOptions) {}

  /**
   * @param token one whose syntax and checksum hold
   * @param address whose budget of wrong keys a look-up is charged to
   * @throws AppError UnauthorizedError for an unknown, revoked or expired key; internal_error 503 when auth cannot answer; rate_limited
   * when thousands of unknown keys of the address wait
   */
  async callerOf(token: string, context: OutgoingContext, address: string): Promise<Caller> {
    const { controlState } = this.options;
    const digest = hash('sha256', token, 'base64url');
    const known = this.verified.get(digest);
    const judgeable = known !== undefined && controlState.knowsSince(known.epoch);
    const verified = judgeable ? known : await this.verify(digest, token, context, address);
    // After the look-up, so that also an answer that was long under way is judged by a state of the last second.
    if (!controlState.trusted()) await this.answered(controlState.refreshed());
    // So many keys were revoked while the answer was under way that this one may have been forgotten among them.
    if (!controlState.knowsSince(verified.epoch)) throw internal(new Error('the key was verified too long ago'), 503);
    if (controlState.isRevoked(verified.caller.keyId) || this.options.clock.now().getTime() >= verified.expiresAtMs) {
      // It stays known: asking auth again for a key that is over would cost a look-up for each use.
      throw unauthorized();
    }
    this.options.keyUse.note(verified.caller.keyId);
    return verified.caller;
  }

  /** Concurrent first uses of a key are one question. */
  private verify(digest: string, token: string, context: OutgoingContext, address: string): Promise<Verified> {
    return this.flights.run(digest, async () => {
      const { controlState, wrongKeys } = this.options;
      const principal = await this.answered(wrongKeys.lookUp(address, { token, context }));
      const verified = verifiedOf(principal);
      // Read before a change that is already applied here: the answer may be the state before a revocation.
      if (verified.epoch >= BigInt(controlState.epoch)) this.verified.set(digest, verified);
      return verified;
    });
  }

  /** Whatever keeps auth from answering is 503 internal_error, never a 401. */
  private async answered<T>(pending: Promise<T>): Promise<T> {
    try {
      return await pending;
    } catch (error) {
      if (error instanceof AppError && error.code !== 'internal_error') throw error;
      throw internal(error, 503);
    }
  }
}

function verifiedOf(principal: Principal): Verified {
  const expiresAtMs = Number(principal.expiresAtMs);
  return {
    epoch: BigInt(principal.epoch),
    caller: {
      keyId: principal.keyId,
      organizationId: principal.organizationId,
      kind: kindOf(principal.kind),
      scopes: expandScopes(principal.scopes),
    },
    expiresAtMs: expiresAtMs === 0 ? Number.POSITIVE_INFINITY : expiresAtMs,
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
      throw internal(new Error(`auth answered a principal of the unknown kind ${JSON.stringify(kind)}`));
  }
}
