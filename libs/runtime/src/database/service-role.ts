import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';

const { escapeIdentifier, escapeLiteral } = pg;

export interface ServiceRole {
  /** parley_<schema>, the name that schema.sql uses in grants and revokes. */
  role: string;
  /** The user in DATABASE_URL and its password: the role itself, or a user that becomes its member. */
  login: string;
  password: string;
}

export function serviceRole(schema: string, databaseUrl: string): ServiceRole {
  const url = new URL(databaseUrl);
  const role = `parley_${schema}`;
  return { role, login: decodeURIComponent(url.username) || role, password: decodeURIComponent(url.password) };
}

/**
 * Creates the role that a service uses, or sets its password to that of DATABASE_URL again. Roles belong to the whole server, so the migration of another
 * database may do the same concurrently; it is then retried.
 */
export async function ensureRole(client: pg.Client, { role, login, password }: ServiceRole): Promise<void> {
  const user = await client.query<{ current: string }>('select current_user as current');
  if (login === user.rows[0]?.current) {
    await createOrAlter(client, role, 'nologin');
    return;
  }
  const secret = password === '' ? '' : ` password ${escapeLiteral(scramVerifier(password))}`;
  await createOrAlter(client, login, `login${secret}`);
  if (login !== role) {
    await createOrAlter(client, role, 'nologin');
    await again(() => client.query(`grant ${escapeIdentifier(role)} to ${escapeIdentifier(login)}`));
  }
}

/**
 * Stores the settings for sessions of this role in this database, because behind a pooler they cannot be sent with each connection. Settings that a session
 * sends override them.
 */
export async function ensureSettings(
  client: pg.Client,
  login: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows } = await client.query<{ current: string; name: string }>(
    'select current_user as current, current_database() as name',
  );
  const [found] = rows;
  if (found === undefined || login === found.current) return;
  const target = `${escapeIdentifier(login)} in database ${escapeIdentifier(found.name)}`;
  const { rows: versions } = await client.query<{ number: number }>(
    "select current_setting('server_version_num')::integer as number",
  );
  // From PostgreSQL 17 on, the server also ends a transaction as a whole, so that none of ours holds a snapshot for longer.
  const limits: Readonly<Record<string, string>> =
    (versions[0]?.number ?? 0) >= 170_000 ? { transaction_timeout: '300000' } : {};
  for (const [name, value] of Object.entries({ ...settings, ...limits })) {
    await again(() => client.query(`alter role ${target} set ${name} to ${escapeLiteral(value)}`));
  }
}

/** Creates the schema. The administrator owns it; the role may read and write all tables, unless schema.sql revokes that. */
export async function ensureSchema(client: pg.Client, schema: string, role: string): Promise<void> {
  const [s, r] = [escapeIdentifier(schema), escapeIdentifier(role)];
  await client.query(`create schema if not exists ${s}`);
  await client.query(`grant usage on schema ${s} to ${r}`);
  await client.query(`alter default privileges in schema ${s} grant select, insert, update, delete on tables to ${r}`);
  await client.query(`alter default privileges in schema ${s} grant usage, select on sequences to ${r}`);
}

async function createOrAlter(client: pg.Client, role: string, attributes: string): Promise<void> {
  await again(async () => {
    const existing = await client.query('select 1 from pg_roles where rolname = $1', [role]);
    if (existing.rowCount === 0) await client.query(`create role ${escapeIdentifier(role)} ${attributes}`);
    else if (attributes !== 'nologin') await client.query(`alter role ${escapeIdentifier(role)} ${attributes}`);
  });
}

/** SQLSTATEs of concurrent changes: duplicate object, unique violation, and "tuple concurrently updated". */
const RACES = new Set(['42710', '23505', 'XX000']);

async function again(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      const raced = error instanceof pg.DatabaseError && RACES.has(error.code ?? '');
      if (!raced || attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 50));
    }
  }
}

/** The form in which PostgreSQL stores a password (RFC 5803). It is used so that no statement and no server log contains the password itself. */
function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
