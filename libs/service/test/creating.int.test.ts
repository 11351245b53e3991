import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { AppError } from '@parley/errors';
import { createDatabase, createLogger, type Database, type Queryable } from '@parley/runtime';
import { eventually, testDatabase } from '@parley/testing';
import { creating, type Outcome } from '../src/idempotency/creating';
import { IdempotencyConflict, findStoredResponse, storeResponse } from '../src/idempotency/stored-responses';
import { existsByPrefix, idempotencyPruner, prune } from '../src/idempotency/prune';
import type { CreatingRequest } from '../src/idempotency/request';

const fingerprint = (body: string): Buffer => createHash('sha256').update(body).digest();

const requestOf = (change: Partial<CreatingRequest> = {}): CreatingRequest => ({
  organizationId: 'org_a',
  route: 'create-thing',
  key: randomUUID(),
  fingerprint: fingerprint('{}'),
  ...change,
});

let database: Awaited<ReturnType<typeof testDatabase>>;
/** Two replicas of one service, each with its own pool. */
let replicas: Database[];

beforeAll(async () => {
  database = await testDatabase({ schemaFile: path.join(__dirname, 'things.sql'), schema: 'memory' });
  replicas = [1, 2].map(() => createDatabase({ url: database.url, schema: 'memory', poolSize: 10 }));
});

afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.pool.end()));
  await database.drop();
});

const count = async (label: string): Promise<number> => {
  const { rows } = await database.db.query<{ count: string }>({
    text: 'select count(*) from things where label = $1',
    values: [label],
  });
  return Number(rows[0]?.count);
};

/** Creates a record with the given label; the response contains its id. */
const createThing = (label: string) => async (tx: Queryable) => {
  const id = randomUUID();
  await tx.query({ text: 'insert into things (id, label) values ($1, $2)', values: [id, label] });
  return { status: 201, body: JSON.stringify({ id }), recordId: id, value: id };
};

const idOf = (outcome: Outcome<string>): string =>
  outcome.stored === undefined ? outcome.value : (JSON.parse(outcome.stored.body) as { id: string }).id;

const replica = (index: number): Database => replicas[index % replicas.length] ?? database.db;

/** Resolves when a connection is waiting for a lock of another one. */
const someoneWaits = (): Promise<true> =>
  eventually(async () => {
    const { rowCount } = await database.db.query({
      text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    });
    return rowCount > 0 ? true : undefined;
  });

describe('creating', () => {
  it('exactly one of 20 concurrent requests with the same key on two replicas creates the record, and all return it', async () => {
    const request = requestOf();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => creating(replica(index), request, createThing(request.key))),
    );
    expect(new Set(outcomes.map(idOf)).size).toBe(1);
    expect(outcomes.filter((outcome) => outcome.stored === undefined)).toHaveLength(1);
    expect(await count(request.key)).toBe(1);
  });

  it('concurrent requests with the same key and two different bodies succeed only for one body; the others are conflicts', async () => {
    const key = randomUUID();
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        creating(replica(index), requestOf({ key, fingerprint: fingerprint(String(index % 2)) }), createThing(key)),
      ),
    );
    const codes = settled.map((one) =>
      one.status === 'fulfilled' ? 'ok' : one.reason instanceof AppError && one.reason.code,
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(10);
    expect(codes.filter((code) => code === 'ConflictError')).toHaveLength(10);
    expect(await count(key)).toBe(1);
  });

  it('creates a record for each request without a key', async () => {
    const label = randomUUID();
    await creating(replica(0), requestOf({ key: '' }), createThing(label));
    await creating(replica(1), requestOf({ key: '' }), createThing(label));
    expect(await count(label)).toBe(2);
  });

  it.each<[string, Partial<CreatingRequest>]>([
    ['another organization', { organizationId: 'org_b' }],
    ['another route', { route: 'create-other' }],
  ])('the same key for %s is independent', async (_, change) => {
    const request = requestOf();
    const first = await creating(replica(0), request, createThing(request.key));
    const second = await creating(replica(0), { ...request, ...change }, createThing(request.key));
    expect(idOf(second)).not.toBe(idOf(first));
  });

  it('waits for a concurrent request with the same key and returns its response', async () => {
    const request = requestOf();
    const holds = Promise.withResolvers<undefined>();
    const winner = Promise.withResolvers<undefined>();
    const won = replica(0).transaction(async (tx) => {
      await storeResponse(tx, request, { status: 201, body: '{"id":"the-winner"}' });
      holds.resolve(undefined);
      await winner.promise;
    });
    await holds.promise;
    const loser = creating(replica(1), request, createThing(request.key));
    await someoneWaits();
    winner.resolve(undefined);
    await won;
    expect(idOf(await loser)).toBe('the-winner');
    expect(await count(request.key)).toBe(0);
  });

  it('the next request creates the record if the first one rolls back', async () => {
    const request = requestOf();
    const holds = Promise.withResolvers<undefined>();
    const winner = Promise.withResolvers<never>();
    const failed = replica(0).transaction(async (tx) => {
      await storeResponse(tx, request, { status: 201, body: '{}' });
      holds.resolve(undefined);
      await winner.promise;
    });
    await holds.promise;
    const next = creating(replica(1), request, createThing(request.key));
    await someoneWaits();
    winner.reject(new Error('the winner fails'));
    await expect(failed).rejects.toThrow('the winner fails');
    expect((await next).stored).toBeUndefined();
    expect(await count(request.key)).toBe(1);
  });

  it('returns the stored response of a concurrent request if its own work fails', async () => {
    const request = requestOf();
    const loser = creating(replica(0), request, async () => {
      await creating(replica(1), request, createThing(request.key));
      throw new AppError('InsufficientBalanceError', 'the winner spent it');
    });
    expect((await loser).stored).toBeDefined();
  });

  it('passes on an error, stores nothing, and can be repeated', async () => {
    const request = requestOf();
    const refused = creating(replica(0), request, async (tx) => {
      await createThing(request.key)(tx);
      throw new AppError('SuspensionError', 'refused');
    });
    await expect(refused).rejects.toMatchObject({ code: 'SuspensionError', status: 423 });
    expect(await findStoredResponse(database.db, request)).toBeUndefined();
    expect(await count(request.key)).toBe(0);
    expect((await creating(replica(0), request, createThing(request.key))).stored).toBeUndefined();
  });

  it.each([199, 300, 409, 500])('does not store a response with status %i', async (status) => {
    const request = requestOf();
    await expect(storeResponse(database.db, request, { status, body: '{}' })).rejects.toThrow();
    expect(await findStoredResponse(database.db, request)).toBeUndefined();
  });

  it('storeResponse throws IdempotencyConflict if the key is already stored', async () => {
    const request = requestOf();
    await storeResponse(database.db, request, { status: 200, body: '{}' });
    await expect(storeResponse(database.db, request, { status: 200, body: '{}' })).rejects.toBeInstanceOf(
      IdempotencyConflict,
    );
  });
});

describe('pruning of stored responses', () => {
  const recordExists = 'exists (select 1 from things where things.id = idempotency.record_id)';
  const age = (request: CreatingRequest, hours: number) =>
    database.db.query({
      text: `update idempotency set created_at = now() - make_interval(hours => $1, secs => $2) where key = $3`,
      values: [Math.floor(hours), Math.round((hours % 1) * 3600), request.key],
    });

  it.each([
    ['younger than 24 hours whose record was deleted is kept', 23.9, true, true],
    ['older than 24 hours whose record was deleted is deleted', 24.1, true, false],
    ['older than 24 hours whose record exists is kept', 24.1, false, true],
  ])('a response %s', async (_, hours, gone, kept) => {
    const request = requestOf();
    await creating(database.db, request, createThing(request.key));
    if (gone) await database.db.query({ text: 'delete from things where label = $1', values: [request.key] });
    await age(request, hours);
    await prune(database.db, { recordExists });
    expect((await findStoredResponse(database.db, request)) !== undefined).toBe(kept);
  });

  it('continues where it ended, past responses that are kept', async () => {
    const stays = Array.from({ length: 5 }, () => requestOf());
    const goes = requestOf();
    for (const [place, request] of [...stays, goes].entries()) {
      await creating(database.db, request, createThing(request.key));
      await age(request, 2_000 - place);
    }
    await database.db.query({ text: 'delete from things where label = $1', values: [goes.key] });
    let after;
    let steps = 0;
    do {
      ({ next: after } = await prune(database.db, { recordExists, batch: 2, after }));
      steps += 1;
    } while (after !== undefined);
    expect(steps).toBeGreaterThanOrEqual(3);
    expect(await findStoredResponse(database.db, goes)).toBeUndefined();
    for (const request of stays) expect(await findStoredResponse(database.db, request)).toBeDefined();
  });

  it('deletes responses of deleted records, and none of record types that the service does not list', async () => {
    const [gone, other] = [requestOf(), requestOf()];
    await storeResponse(database.db, gone, { status: 201, body: '{}', recordId: 'thing_gone' });
    await storeResponse(database.db, other, { status: 201, body: '{}', recordId: 'other_gone' });
    for (const request of [gone, other]) await age(request, 25);
    const named = { thing: 'exists (select 1 from things where things.id = idempotency.record_id)' };
    const log = createLogger({ service: 'idempotency-test', level: 'silent' });
    const pruner = idempotencyPruner({ db: database.db, log, recordExists: named });
    await pruner.start();
    await eventually(async () => ((await findStoredResponse(database.db, gone)) === undefined ? true : undefined));
    await pruner.stop();
    await prune(database.db, { recordExists: existsByPrefix(named) });
    expect(await findStoredResponse(database.db, other)).toBeDefined();
  });

  it('keeps a response without a record, and all that are younger than 24 hours', async () => {
    const [forGood, young] = [requestOf(), requestOf()];
    await storeResponse(database.db, forGood, { status: 201, body: '{}' });
    await age(forGood, 1000);
    await storeResponse(database.db, young, { status: 201, body: '{}', recordId: 'gone' });
    await age(young, 2);
    await prune(database.db, { recordExists, hours: 1 });
    expect(await findStoredResponse(database.db, forGood)).toBeDefined();
    expect(await findStoredResponse(database.db, young)).toBeDefined();
  });
});
