import type { Clock, Database } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { listDeclarations, writeDeclaration } from './worker-capabilities.sql';

/** Declarations older than this no longer count: calls that need them are refused. */
const knownSeconds = 7 * 24 * 3600;
/** A waiting worker claims at least every half minute, and a busy one has leases; both are recorded once a minute. */
export const presentSeconds = 150;
/** Minimum interval between two writes of the same declaration. */
const writeMs = 60_000;
/** How long a cached list of declarations is used. If it does not satisfy a need, it is read again at once. */
const trustMs = 15_000;

/** How long a cached list of present workers is used. */
const presentTrustMs = 2_000;

interface Known {
  readonly declared: readonly (readonly string[])[];
  readonly readAtMs: number;
}

/** The digest of a declaration. The list must be sorted. */
export const digestOf = (capabilities: readonly string[]): string =>
  createHash('sha256').update(capabilities.join('\n')).digest('hex');

/**
 * The capabilities that workers have declared. `workersOf` is either an organization, whose own workers conduct the calls of its numbers with `dialer: own`, or
 * empty for the hosted workers, which conduct all other calls.
 */
export class WorkerCapabilities {
  private readonly written = new LRUCache<string, number>({ max: 10_000 });
  private readonly seen = new LRUCache<string, readonly (readonly string[])[]>({ max: 1_000, ttl: presentTrustMs });
  private readonly reading = new Map<string, Promise<readonly (readonly string[])[]>>();
  private readonly known = new LRUCache<string, Known>({ max: 10_000 });

  constructor(
    private readonly db: Pick<Database, 'query'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Records the capabilities of a claiming worker: at once if they are new to this process, otherwise once a minute.
   * @returns the digest of the declaration
   */
  async declare(organizationId: string, kinds: readonly string[], capabilities: readonly string[]): Promise<string> {
    const digest = digestOf(capabilities);
    const now = this.clock.monotonicMs();
    for (const kind of kinds) {
      const key = `${organizationId} ${kind} ${digest}`;
      const at = this.written.get(key);
      if (at !== undefined && now - at < writeMs) continue;
      await writeDeclaration(this.db, organizationId, kind, digest, capabilities);
      this.written.set(key, now);
    }
    return digest;
  }

  /**
   * The declarations of the last seven days, one list of capabilities per kind of worker.
   * @param enough a cached list is returned if it satisfies this condition
   */
  async declared(
    workersOf: string,
    enough: (declared: readonly (readonly string[])[]) => boolean,
  ): Promise<readonly (readonly string[])[]> {
    const known = this.known.get(workersOf);
    if (known !== undefined && this.clock.monotonicMs() - known.readAtMs < trustMs) {
      if (enough(known.declared)) return known.declared;
    }
    const shared = await this.readTogether(workersOf);
    // The shared read may have started before a worker declared its capabilities.
    if (enough(shared)) return shared;
    return this.read(workersOf);
  }

  /** The declarations of the workers that are present now. */
  async present(workersOf: string): Promise<readonly (readonly string[])[]> {
    const seen = this.seen.get(workersOf);
    if (seen !== undefined) return seen;
    const list = await listDeclarations(this.db, workersOf, 'call', presentSeconds);
    const present = list.map(({ capabilities }) => capabilities);
    this.seen.set(workersOf, present);
    return present;
  }

  /** Concurrent requests share one read. */
  private readTogether(workersOf: string): Promise<readonly (readonly string[])[]> {
    const under = this.reading.get(workersOf);
    if (under !== undefined) return under;
    const reading = this.read(workersOf).finally(() => this.reading.delete(workersOf));
    this.reading.set(workersOf, reading);
    return reading;
  }

  private async read(workersOf: string): Promise<readonly (readonly string[])[]> {
    const readAtMs = this.clock.monotonicMs();
    const list = await listDeclarations(this.db, workersOf, 'call', knownSeconds);
    const declared = list.map(({ capabilities }) => capabilities);
    this.known.set(workersOf, { declared, readAtMs });
    return declared;
  }
}
