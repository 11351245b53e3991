import { internal } from '@parley/errors';
import pg from 'pg';
import type { Logger } from '../log';
import { activeTracing, type Tracing } from '../tracing/tracing';
import { isConnectionError, isRefusedLogin } from './connection-error';
import { sessionSettings } from './session-settings';
import { SparingPool } from './sparing-pool';

/** An SQL statement. With a `name` it is prepared once per connection; the same name must always have the same text. */
export interface Statement {
  name?: string;
  text: string;
  values?: readonly unknown[];
}

export interface Queryable {
  /**
   * Runs one statement. bigint, numeric and similar types are returned as strings, timestamptz as Date, and jsonb as parsed JSON. Throws pg's DatabaseError
   * (`code` is the SQLSTATE) if PostgreSQL rejects the statement, and `internal_error` 503 if the connection is lost or unavailable.
   */
  query<R>(statement: Statement): Promise<{ rows: R[]; rowCount: number }>;
}

export interface Database extends Queryable {
  /**
   * Runs `work` in a transaction, which is committed when `work` resolves and rolled back when it rejects (the error is rethrown). Nothing is retried. `tx`
   * must not be used after `work` has settled.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  readonly pool: pg.Pool;
}

/** The time of the database's clock, which decides what is compared. */
export async function databaseNow(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>({ name: 'now', text: 'select clock_timestamp() as now' });
  const [first] = rows;
  if (first === undefined) throw new Error('the clock query returned no row');
  return first.now;
}

export interface DatabaseOptions {
  /** A function is called for each new connection, because user and password may change while the process runs. */
  url: string | (() => string);
  /** The search_path: table names in statements have no schema. */
  schema?: string;
  applicationName?: string;
  /** Maximum of connections; default 5. */
  poolSize?: number;
  statementTimeoutMs?: number;
  /**
   * Set if the server is behind a pooler in transaction mode, where a session lasts only for one transaction. Statements are then not prepared, and the
   * settings are those that `migrate` stored for the role.
   */
  pooler?: boolean;
  /** Seconds after which a connection is replaced, and so the maximum for which a replaced user or password is used; default 600. */
  renewAfterSeconds?: number;
  log?: Logger;
}

const HANG_PATIENCE_MS = 2_000;

/** A pool that opens connections on demand (`SparingPool`), and also works again after PostgreSQL was unavailable. */
export function createDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 15_000;
  const { url, pooler = false } = options;
  const urlNow = typeof url === 'string' ? () => url : url;
  const settings = Object.entries(sessionSettings({ schema: options.schema, statementTimeoutMs }));
  const pool = new SparingPool({
    Client: class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super({ ...config, connectionString: urlNow() });
      }
    },
    max: options.poolSize ?? 5,
    ...(!pooler && { options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' ') }),
    application_name: options.applicationName ?? 'parley',
    connectionTimeoutMillis: 5_000,
    // Only for a server that hangs; a working one cancels the statement earlier.
    query_timeout: statementTimeoutMs + HANG_PATIENCE_MS,
    // Connections opened for a burst are closed soon afterwards, because all processes share one server.
    idleTimeoutMillis: 10_000,
    maxLifetimeSeconds: options.renewAfterSeconds ?? 600,
    keepAlive: true,
  });
  // The pool removes a broken idle connection itself; without a listener the error would end the process.
  pool.on('error', (error) => options.log?.warn({ err: error }, 'idle database connection lost'));
  return new PooledDatabase(pool, pooler ? unprepared : asItIs);
}

/**
 * The same connections for background tasks, which rather wait for one than have another opened. Use `db` itself for everything that a request waits for.
 */
export function databaseInBackground(db: Database): Database {
  return db instanceof PooledDatabase ? db.inBackground() : db;
}

type Sent = (statement: Statement) => Statement;

const asItIs: Sent = (statement) => statement;
/** Removes the name, because the next statement may run in another session, in which it is not prepared. */
const unprepared: Sent = ({ name: _, ...statement }) => statement;

class PooledDatabase implements Database {
  constructor(
    readonly pool: SparingPool,
    private readonly sent: Sent,
    private readonly connections: pg.Pool = pool,
  ) {}

  inBackground(): Database {
    return new PooledDatabase(this.pool, this.sent, this.pool.background);
  }

  query<R>(statement: Statement): Promise<{ rows: R[]; rowCount: number }> {
    return run<R>(this.connections, this.sent(statement));
  }

  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const client = await this.connections.connect().catch((error: unknown) => {
      throw internal(error, 503);
    });
    const tx = new Transaction(client, this.sent);
    let broken: Error | undefined;
    // pg reports a connection that was lost between two statements through this event; without a listener the process would crash.
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

  constructor(
    private readonly client: pg.PoolClient,
    private readonly sent: Sent,
  ) {}

  query<R>(statement: Statement): Promise<{ rows: R[]; rowCount: number }> {
    if (this.ended) return Promise.reject(new Error('the transaction has ended; its tx must not be kept'));
    return run<R>(this.client, this.sent(statement));
  }

  end(): void {
    this.ended = true;
  }
}

/** Rolls back. Returns an error if the connection must not be returned to the pool. */
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
    throw isConnectionError(error) || isRefusedLogin(error) ? internal(error, 503) : error;
  }
}

function traced<R>(tracing: Tracing, runner: Runner, statement: Statement): Promise<{ rows: R[]; rowCount: number }> {
  const name = statement.name ?? statement.text.trimStart().slice(0, 40);
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': statement.text };
  return tracing.withSpan(`pg ${name}`, { kind: 'client', attributes }, () => execute<R>(runner, statement));
}
