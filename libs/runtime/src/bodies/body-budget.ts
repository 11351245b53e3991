import { AppError } from '@parley/errors';

/** How many bytes of request bodies a process holds at once. The chart's limits of memory follow from these values (docs/operating.md). */
export interface BodyBudgets {
  readonly process: number;
  /** For each client address, and for each key. */
  readonly client: number;
}

/** Whose body it is. */
export interface BodyOwner {
  /** The group of the client's address. */
  readonly address: string;
  /** Undefined for requests that need no key. */
  readonly keyId?: string | undefined;
}

/** What a request costs while its body arrives, besides the body: its connection, its headers and small pieces. */
export const openBodyBytes = 16 * 1024;

const retryAfter = { retry_after_seconds: 1 };

/** A sum of bytes with a limit. */
interface Sum {
  held: number;
  readonly limit: number;
  readonly refusal: () => AppError;
}

/**
 * The bytes of request bodies that a process holds, by address, by key and in total. Without it, a single client that sends bodies slowly fills the memory. All
 * requests without a key together may use half of it, so that no number of addresses keeps customers out.
 */
export class BodyBudget {
  private readonly sums = new Map<string, Sum>();
  private readonly process: Sum;
  private readonly keyless: Sum;

  constructor(private readonly budgets: BodyBudgets) {
    this.process = { held: 0, limit: budgets.process, refusal: overloaded };
    this.keyless = { held: 0, limit: budgets.process / 2, refusal: overloaded };
  }

  /** The bytes held now. */
  get held(): number {
    return this.process.held;
  }

  /** An account for one request, with nothing in it. */
  open({ address, keyId }: BodyOwner): BodyAccount {
    const clients = [`address ${address}`, ...(keyId === undefined ? [] : [`key ${keyId}`])];
    const shared = [...(keyId === undefined ? [this.keyless] : []), this.process];
    let own = 0;
    let released = false;
    /** @throws AppError rate_limited or overloaded; then the account is as before */
    const hold = (bytes: number, expected = bytes): void => {
      const more = bytes - own;
      if (more === 0 || released) return;
      const sums = [...clients.map((name) => this.sumOf(name)), ...shared];
      const full = more > 0 ? sums.find(({ held, limit }) => held + expected - own > limit) : undefined;
      if (full === undefined) {
        own = bytes;
        for (const sum of sums) sum.held += more;
      }
      for (const name of clients) if (this.sums.get(name)?.held === 0) this.sums.delete(name);
      if (full !== undefined) throw full.refusal();
    };
    const release = (): void => {
      hold(0);
      released = true;
    };
    return { hold, release };
  }

  private sumOf(name: string): Sum {
    let sum = this.sums.get(name);
    if (sum === undefined) this.sums.set(name, (sum = { held: 0, limit: this.budgets.client, refusal: tooMuch }));
    return sum;
  }
}

export interface BodyAccount {
  /**
   * Sets how many bytes the request holds.
   * @param expected how many it will hold; if there is no room for them now, nothing of the body has to be read
   * @throws AppError rate_limited if the address or the key would hold too much, overloaded if the process would
   */
  hold(bytes: number, expected?: number): void;
  /** Ends the account: what is held later is not counted. */
  release(): void;
}

const tooMuch = (): AppError =>
  new AppError('rate_limited', 'too many bytes of bodies are in flight from this address or with this key', {
    fields: retryAfter,
  });

const overloaded = (): AppError =>
  new AppError('overloaded', 'the process holds as many bodies as it can', { fields: retryAfter });
