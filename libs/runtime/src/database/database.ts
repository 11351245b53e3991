import { internal } from '@parley/errors';
import pg from 'pg';
import type { Logger } from '../log';
import { activeTracing, type Tracing } from '../tracing/tracing';
import { isConnectionFault } from './connection-fault';

/** One SQL statement. With a `name` it is prepared once a connection; the same name must always carry the same text. */
export interface Statement {
  name?: string;
  text: string;
  values?: readonly unknown[];
}

export interface Queryable {
  /**
   * Runs one statement. bigint, numeric and their like come back as strings, timestamptz as Date, jsonb parsed.
   * A statement that PostgreSQL refuses throws pg's DatabaseError (`code` is the SQLSTATE); a connection that is lost or
   * not to be had throws `internal_error` 503.
   */
  query<R>(statement: Statement): Promise<{ rows: R[]; rowCount: number }>;
}

export interface Database extends Queryable {
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws (the error passes through).
   * Nothing is retried. `tx` is dead once `work` has settled.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  readonly pool: pg.Pool;
}

export interface DatabaseOptions {
  url: string;
  /** Becomes the search_path: statements name tables without a schema. */
  schema?: string;
  applicationName?: string;
  /** Connections, 5 by default. */
  poolSize?: number;
  statementTimeoutMs?: number;
  log?: Logger;
}

const HANG_PATIENCE_MS = 2_000;

/** A pool that opens connections as they are needed and opens new ones after PostgreSQL was away. */
export function createDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 15_000;
  const settings = [`-c statement_timeout=${statementTimeoutMs}`, '-c idle_in_transaction_session_timeout=30000'];
  // Compiling a statement costs more than any of ours runs, and tables without statistics look large enough for it.
  settings.push('-c jit=off');
  // Plans are kept, and made while tables are small or never analyzed. Our statements reach their rows by an index: told so, the
  // planner chooses what is still right with a million rows.
  settings.push('-c enable_seqscan=off', '-c random_page_cost=1.1');
  // For a statement with a short array PostgreSQL would make a new plan at every execution, which costs more than the execution.
  settings.push('-c plan_cache_mode=force_generic_plan');
  if (options.schema !== undefined) settings.push(`-c search_path=${options.schema}`);
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 5,
    options: settings.join(' '),
    application_name: options.applicationName ?? 'parley',
    connectionTimeoutMillis: 5_000,
    // For a server that hangs: one that works cancels the statement before this.
    query_timeout: statementTimeoutMs + HANG_PATIENCE_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  });
  // An idle connection that breaks leaves the pool by itself; without a listener it would end the process.
  pool.on('error', (error) => options.log?.warn({ err: error }, 'idle database connection lost'));
  return new PooledDatabase(pool);
}

class PooledDatabase implements Database {
  constructor(readonly pool: pg.Pool) {}

  query<R>(statement: Statement): Promise<{ rows: R[]; rowCount: number }> {
    return run<R>(this.pool, statement);
  }

  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw internal(error, 503);
    });
    const tx = new Transaction(client);
    let broken: Error | undefined;
    // pg reports a connection lost between two statements through this event, and crashes without a listener.
    const onError = (error: Error) => (broken = error);
    client.on('error', onError);
    try {
      await run(client, BEGIN);
      const result = await work(tx);
      await run(client, COMMIT);
      return result;
    } catch (error) {
      broken ??= await rollback(client);
      throw error;
    } finally {
      tx.end();
      client.off('error', onError);
      client.release(broken);
    }
  }
}

const BEGIN: Statement = { text: 'begin' };
const COMMIT: Statement = { text: 'commit' };

class Transaction implements Queryable {
  private ended = false;

  constructor(private readonly client: pg.PoolClient) {}

  query<R>(statement: Statement): Promise<{ rows: R[]; rowCount: number }> {
    if (this.ended) return Promise.reject(new Error('the transaction has ended; its tx must not be kept'));
    return run<R>(this.client, statement);
  }

  end(): void {
    this.ended = true;
  }
}

/** An error means that the connection must not go back into the pool. */
async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

type Runner = Pick<pg.Pool | pg.PoolClient, 'query'>;

function run<R>(runner: Runner, statement: Statement): Promise<{ rows: R[]; rowCount: number }> {
  const tracing = activeTracing();
  return tracing === undefined ? execute<R>(runner, statement) : traced<R>(tracing, runner, statement);
}

async function execute<R>(runner: Runner, statement: Statement): Promise<{ rows: R[]; rowCount: number }> {
  try {
    const result = await runner.query(statement as pg.QueryConfig<unknown[]>);
    return { rows: result.rows as R[], rowCount: result.rowCount ?? 0 };
  } catch (error) {
    throw isConnectionFault(error) ? internal(error, 503) : error;
  }
}

function traced<R>(tracing: Tracing, runner: Runner, statement: Statement): Promise<{ rows: R[]; rowCount: number }> {
  const name = statement.name ?? statement.text.trimStart().slice(0, 40);
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': statement.text };
  return tracing.withSpan(`pg ${name}`, { kind: 'client', attributes }, () => execute<R>(runner, statement));
}
