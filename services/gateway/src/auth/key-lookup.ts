import { AppError, unauthorized } from '@parley/errors';
import type { Principal } from '@parley/proto/auth';
import type { Clock, OutgoingContext } from '@parley/runtime';
import { Batcher, type Settled } from '@parley/service';
import { LRUCache } from 'lru-cache';
import type { WindowCounter } from './window-counter';

/** For how long invalid keys are counted together. */
export const invalidKeyWindowSeconds = 60;
/** Look-ups of one address whose budget is used up: two batches at once take some thousands a second. */
const batchLimits = { concurrency: 2, mostItems: 256, mostWaiting: 4_096 };
/** How many such addresses are kept. */
const capacity = 10_000;

/** A well-formed token, and the request that brought it. */
export interface Question {
  readonly token: string;
  readonly context: Pick<OutgoingContext, 'requestId' | 'traceparent'>;
}

/** Asks auth whose tokens these are. */
export interface TokenVerification {
  /** @throws AppError UnauthorizedError for an unknown, revoked or expired one */
  one(question: Question): Promise<Principal>;
  /** In the order of the questions; undefined where `one` would throw. */
  many(questions: readonly Question[]): Promise<readonly (Principal | undefined)[]>;
}

/**
 * The budget of invalid keys that an address has in a minute. A well-formed key that this replica does not know costs a look-up in auth;
 * those of an address that used its budget up are asked together, hundreds by one read, so that it can neither keep auth busy nor crowd
 * out the others. A valid key among them is verified like any other, and one that is known already needs no look-up at all.
 */
export class KeyLookup {
  /** Until when, by address, in milliseconds of the monotonic clock. */
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
   * Who the token belongs to.
   * @throws AppError UnauthorizedError, or whatever keeps auth from responding; rate_limited where thousands wait already
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
