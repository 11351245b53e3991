import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { RefusedError } from './platform';

/** This worker accepts no more calls, either temporarily or because it is stopping. */
export class NoRoomError extends Error {
  constructor() {
    super('this worker has no capacity for another call');
    this.name = 'NoRoomError';
  }
}

/** Whether the token can never become valid. If the platform is unavailable or the worker is full, it stays valid for another attempt. */
export const isForGood = (error: unknown): boolean =>
  error instanceof RefusedError && [400, 404, 409].includes(error.status);

const windowMs = 60_000;
/** The form of tokens that the platform issues. */
const tokenForm = /^[\w-]{1,128}$/;
/** The characters of 16 bytes and of their signature, in base64url. */
const randomCharacters = 22;
const signedForm = /^[\w-]{108}$/;
/** Maximum number of refused signed tokens that are remembered, which bounds the memory. */
const mostRefused = 10_000;

/**
 * Decides whether the platform is asked about a token. A token that it signed always is, until it refused that token. Of all others only `limit` may be refused per
 * minute; beyond that they are turned away without a request. Addresses do not count: many callers may share one with a stranger who guesses tokens.
 */
export class TokenCheck {
  private keys: readonly KeyObject[] | undefined;
  private known = '';
  private readonly dead = new Set<string>();
  private asking = false;
  private refused = 0;
  private startedMs: number;

  constructor(
    private readonly limit: number,
    private readonly nowMs: () => number,
  ) {
    this.startedMs = nowMs();
  }

  /** The public keys of the platform. Before the first ones all tokens are asked about. A malformed key is ignored. */
  learn(keys: readonly string[]): void {
    const known = keys.join();
    if (known === '' || known === this.known) return;
    this.known = known;
    this.keys = keys.flatMap((x) => {
      try {
        return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      } catch {
        return [];
      }
    });
  }

  /**
   * @param ask asks the platform; `counts` is false for a token that the platform did not sign, which must take no room from others
   * @throws RefusedError for a token of another form; NoRoomError for one that is turned away
   */
  async judge<T>(token: string, ask: (counts: boolean) => Promise<T>): Promise<T> {
    if (!tokenForm.test(token)) throw new RefusedError(400, 'BadRequestError', 'the token is malformed');
    const signed = this.isSigned(token);
    if (!signed) this.admit();
    try {
      return await ask(signed);
    } catch (error) {
      if (isForGood(error)) this.bury(token, signed);
      throw error;
    } finally {
      if (!signed) this.asking = false;
    }
  }

  private admit(): void {
    const now = this.nowMs();
    if (now >= this.startedMs + windowMs) [this.startedMs, this.refused] = [now, 0];
    if (this.asking || this.refused >= this.limit) throw new NoRoomError();
    this.asking = true;
  }

  private bury(token: string, signed: boolean): void {
    if (!signed) this.refused += 1;
    else this.dead.add(bytesOf(token).toString('hex'));
    if (this.dead.size > mostRefused) for (const oldest of this.dead) return void this.dead.delete(oldest);
  }

  private isSigned(token: string): boolean {
    if (this.keys === undefined) return true;
    const bytes = bytesOf(token);
    if (!signedForm.test(token) || this.dead.has(bytes.toString('hex'))) return false;
    const signature = Buffer.from(token.slice(randomCharacters), 'base64url');
    return this.keys.some((key) => verify(null, bytes, key, signature));
  }
}

/** What is signed. Several texts stand for the same bytes, so only the bytes are compared. */
const bytesOf = (token: string): Buffer => Buffer.from(token.slice(0, randomCharacters), 'base64url');
