import { randomBytes } from 'node:crypto';
import type pg from 'pg';

interface Finder {
  readonly text: string;
  readonly values: readonly unknown[];
}

const id = /\b[a-z]+_[0-9a-hjkmnp-tv-z]{26}\b/g;
const readsOnly = /^\s*(with|select)\b(?![\s\S]*\b(insert into|delete from|update \w+ (as \w+ )?set)\b)/i;
const samplesOfAFinder = 3;
const comparisonsAtMost = 20;

/**
 * Records every statement on a pool that only reads and has an organization as parameter. `prove` runs each of them again with an unknown organization and
 * otherwise the same parameters (docs/reference/keys.md#foreign-reads).
 */
export class CrossTenantReadCheck {
  private readonly seen = new Map<string, Finder[]>();

  constructor(private readonly pool: pg.Pool) {
    this.observe(pool);
  }

  /** Records the statements on the pool of another replica too, on connections opened from now on. */
  observe(pool: pg.Pool): void {
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        this.note(args[0]);
        return query(...args);
      }) as typeof client.query;
    });
  }

  /** How many different statements were recorded. */
  get size(): number {
    return this.seen.size;
  }

  /** @throws Error naming the first statement that returns rows of another organization */
  async prove(): Promise<void> {
    const finders = [...this.seen.values()].flat();
    const client = await this.pool.connect();
    try {
      await client.query('begin');
      for (const finder of finders) await proveOne(client, finder);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  private note(statement: unknown): void {
    if (typeof statement !== 'object' || statement === null || !('text' in statement)) return;
    const { text, values = [] } = statement as Partial<Finder> & { text: string };
    if (!readsOnly.test(text) || !values.some(isOrganization)) return;
    const samples = this.seen.get(text) ?? [];
    if (samples.length < samplesOfAFinder) this.seen.set(text, [...samples, { text, values: [...values] }]);
  }
}

const isOrganization = (value: unknown): boolean =>
  (Array.isArray(value) ? value : [value]).some((one) => typeof one === 'string' && /^org_[0-9a-z]{26}$/.test(one));

/**
 * Checks one statement: its result must be empty, or the same as for ids that do not exist, because some statements return a row of nulls, the time, or a count
 * over all organizations, for example of a carrier account's calls in the last second. Such a count also changes with time: a comparison is valid if the
 * result for ids that do not exist was the same before and after it, and is repeated otherwise.
 */
async function proveOne(client: pg.PoolClient, { text, values }: Finder): Promise<void> {
  const foreign = renamed(values, /\borg_[0-9a-z]{26}\b/g);
  const nothing = renamed(foreign, id);
  if ((await queryRows(client, text, foreign)).length === 0) return;
  for (let attempt = 0; attempt < comparisonsAtMost; attempt += 1) {
    const before = masked(await queryRows(client, text, nothing));
    const rows = await queryRows(client, text, foreign);
    const after = masked(await queryRows(client, text, nothing));
    const shown = idsOf(rows).filter((one) => !idsOf(foreign).includes(one));
    if (shown.length > 0 || (before === after && masked(rows) !== after)) {
      throw new Error(`a foreign organization reads ${JSON.stringify(rows)} by: ${text}`);
    }
    if (before === after) return;
  }
  throw new Error(`the result changes with each execution, so nothing can be compared: ${text}`);
}

async function queryRows(client: pg.PoolClient, text: string, values: unknown[]): Promise<unknown[]> {
  return (await client.query<Record<string, unknown>>({ text, values })).rows;
}

/** Replaces each id that matches the pattern by an id that does not exist; the same id is replaced by the same one everywhere. */
function renamed(values: readonly unknown[], pattern: RegExp): unknown[] {
  const names = new Map<string, string>();
  const nameOf = (old: string): string => {
    const name = names.get(old) ?? old.replace(/_.*/, `_${randomBytes(13).toString('hex')}`);
    names.set(old, name);
    return name;
  };
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    return typeof value === 'string' ? value.replace(pattern, nameOf) : value;
  };
  return values.map(rename);
}

const idsOf = (value: unknown): string[] => JSON.stringify(value).match(id) ?? [];

const masked = (rows: unknown): string =>
  JSON.stringify(rows)
    .replace(id, 'id')
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z|\+\d\d)?/g, 'time');
