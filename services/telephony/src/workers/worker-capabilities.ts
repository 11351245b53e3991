import type { Clock, Database } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { listDeclarations, writeDeclaration } from './worker-capabilities.sql';

/** What was declared longer ago than this is not there any more: calls that need it are refused. */
const knownSeconds = 7 * 24 * 3600;
/** A worker that waits claims every half minute at least, one that is busy holds leases; both are written once a minute. */
export const presentSeconds = 150;
/** How long a declaration that was just written is not written again. */
const writeMs = 60_000;
/** How long what was read is believed. A need that it does not cover is looked up again at once. */
const trustMs = 15_000;

/** The same of the workers that are there now. */
const presentTrustMs = 2_000;

interface Known {
  readonly declared: readonly (readonly string[])[];
  readonly readAtMs: number;
}

export type WorkersFor = Pick<WorkerCapabilities, 'declare' | 'declared' | 'present'>;

/** Names a declaration; the list is sorted. */
export const digestOf = (capabilities: readonly string[]): string =>
  createHash('sha256').update(capabilities.join('\n')).digest('hex');

/**
 * What workers have declared. `workersOf` is an organization, whose own workers conduct the calls of its numbers with `dialer: own`, or empty for
 * the hosted workers, which conduct all others.
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

  /** Notes what a claiming worker can do: at once when it is new to this process, else once a minute. @returns the name of the declaration */
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
   * What was declared in the last seven days, one list a kind of worker.
   * @param enough what was read a moment ago is returned where it satisfies this
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
    // What others asked for may have been read before a worker declared itself.
    if (enough(shared)) return shared;
    return this.read(workersOf);
  }

  /** What workers declared that are there now. */
  async present(workersOf: string): Promise<readonly (readonly string[])[]> {
    const seen = this.seen.get(workersOf);
    if (seen !== undefined) return seen;
    const list = await listDeclarations(this.db, workersOf, 'call', presentSeconds);
    const present = list.map(({ capabilities }) => capabilities);
    this.seen.set(workersOf, present);
    return present;
  }

  /** Requests that come together read once. */
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
