import { AppError, unauthorized } from '@parley/errors';
import type { Principal } from '@parley/proto/auth';
import type { Clock, OutgoingContext } from '@parley/runtime';
import { Batcher, type Settled } from '@parley/service';
import { LRUCache } from 'lru-cache';
import type { WindowCounter } from './window-counter';

/** The duration of the window in which invalid keys are counted. */
export const invalidKeyWindowSeconds = 60;
/** Limits of look-ups for addresses without budget: two concurrent batches process several thousand keys per second. */
const batchLimits = { concurrency: 2, mostItems: 256, mostWaiting: 4_096 };
/** Maximum of addresses without budget that are remembered. */
const capacity = 10_000;

/** A well-formed token, with the context of its request. */
export interface Question {
  readonly token: string;
  readonly context: Pick<OutgoingContext, 'requestId' | 'traceparent'>;
}

/** Verifies tokens with auth. */
export interface TokenVerification {
  /** @throws AppError UnauthorizedError for an unknown, revoked or expired token */
  one(question: Question): Promise<Principal>;
  /** The principals in the order of the questions; undefined where `one` would throw. */
  many(questions: readonly Question[]): Promise<readonly (Principal | undefined)[]>;
}

/**
 * Enforces a budget of invalid keys per address and minute. A well-formed key that this replica does not know costs a look-up in auth. Keys from an address
 * without budget are looked up in batches of hundreds, so that the address can neither overload auth nor delay others. A valid key among them is verified as
 * usual, and a cached key needs no look-up.
 */
export class KeyLookup {
  /** When each address has budget again, in milliseconds of the monotonic clock. */
  private readonly suspects = new LRUCache<string, number>({ max: capacity });
  private readonly batcher: Batcher<Question, Principal | undefined>;

  constructor(
    private readonly counter: Pick<WindowCounter, 'add'>,
    private readonly clock: Clock,
    private readonly budget: number,
    private readonly verification: TokenVerification,
  ) {
    this.batcher = new Batcher({
      ...batchLimits,
      run: (address, questions) => this.askInBatch(address, questions),
      refusal: tooMany,
    });
  }

  /**
   * Verifies a token.
   * @throws AppError UnauthorizedError, or the failure of auth; rate_limited if thousands are already waiting
   */
  async lookUp(address: string, question: Question): Promise<Principal> {
    const untilMs = this.suspects.get(address) ?? -Infinity;
    if (untilMs <= this.clock.monotonicMs()) return this.ask(address, question);
    const principal = await this.batcher.submit(address, question);
    if (principal === undefined) throw unauthorized();
    return principal;
  }

  private async ask(address: string, question: Question): Promise<Principal> {
    try {
      return await this.verification.one(question);
    } catch (error) {
      if (error instanceof AppError && error.code === 'UnauthorizedError') await this.count(address, 1);
      throw error;
    }
  }

  private async askInBatch(
    address: string,
    questions: readonly Question[],
  ): Promise<readonly Settled<Principal | undefined>[]> {
    const principals = await this.verification.many(questions);
    const invalid = principals.filter((principal) => principal === undefined).length;
    if (invalid > 0) await this.count(address, invalid);
    return principals.map((value) => ({ value }));
  }

  private async count(address: string, invalid: number): Promise<void> {
    const { count, secondsLeft } = await this.counter.add(`invalid-keys:${address}`, invalidKeyWindowSeconds, invalid);
    if (count <= this.budget) return;
    this.suspects.set(address, this.clock.monotonicMs() + secondsLeft * 1_000);
  }
}

const tooMany = (): AppError =>
  new AppError('rate_limited', 'too many unknown keys from this address', { fields: { retry_after_seconds: 1 } });
