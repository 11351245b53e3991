/** Runs commands of the services that end by themselves: `migrate`, and the creation of the first credentials, for which there is no API route. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { migrate as runMigrations } from '../../libs/runtime/dist/database/migrate.js';
import { StartError } from '../processes/program.mts';
import { root } from './options.mts';
import { mainOf, ownDatabaseUrl, serviceEnvironment, servicesWithDatabase } from './services.mts';
import type { ServiceName, Surroundings } from './services.mts';

/** Whether this database contains any schema of the services. @throws StartError if it cannot be reached */
export async function isMigrated({ servers }: Surroundings): Promise<boolean> {
  const client = new pg.Client({ connectionString: servers.databaseUrl, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ found: boolean }>("select to_regnamespace('auth') is not null as found");
    return rows[0]?.found ?? false;
  } catch (error) {
    throw new StartError(
      `${process.env.DATABASE_URL ? 'DATABASE_URL is given, but PostgreSQL' : 'PostgreSQL'} does not answer: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** What `migrate` reports is not shown: its errors are thrown. */
const log = { info: () => undefined };

/**
 * Creates the tables of these services concurrently, in this process, because most of the time of a service's `migrate` command is spent loading the service.
 * @throws StartError if one fails
 */
export async function migrate(
  { servers, secrets }: Surroundings,
  services: readonly ServiceName[] = servicesWithDatabase,
): Promise<void> {
  const statementTimeoutMs = Number(process.env.DATABASE_STATEMENT_TIMEOUT_MS ?? 15_000);
  const one = async (service: ServiceName): Promise<void> => {
    const file = path.join(root, 'services', service, 'schema.sql');
    const databaseUrl = ownDatabaseUrl(service, servers.databaseUrl, secrets);
    const schema = service.replace('-', '_');
    try {
      await runMigrations({ file, schema, adminUrl: servers.databaseUrl, databaseUrl, statementTimeoutMs, log });
    } catch (error) {
      throw new StartError(`the schema of ${service}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  await Promise.all(services.map(one));
}

export interface MintedKey {
  key_id: string;
  token: string;
}

export type PlatformKeyKind = 'operator' | 'hosted' | 'hosted-simulation';

/** Creates platform credentials that belong to no organization, one of each kind. */
export async function mintPlatformKeys<const K extends PlatformKeyKind>(
  around: Surroundings,
  kinds: readonly K[],
): Promise<Record<K, MintedKey>> {
  const options = kinds.flatMap((kind) => ['--kind', kind]);
  const output = await command('auth', ['mint-platform-key', '--name', 'development', ...options], around);
  const lines = output.split('\n').filter((text) => text.startsWith('{') && text.includes('"token"'));
  if (lines.length !== kinds.length) throw new StartError(`auth minted not all of ${kinds.join(', ')}:\n${output}`);
  const keys = kinds.map((kind, nth) => [kind, JSON.parse(lines[nth] ?? '') as MintedKey]);
  return Object.fromEntries(keys) as Record<K, MintedKey>;
}

/** Runs a command. @returns its stdout. @throws StartError with its whole output if it fails */
function command(service: ServiceName, args: readonly string[], around: Surroundings): Promise<string> {
  const one = around.processes.find((candidate) => candidate.service === service);
  if (!one) throw new Error(`${service} is not in the process table`);
  const env = { ...serviceEnvironment(one, around), MIGRATIONS_DATABASE_URL: around.servers.databaseUrl };
  const child = spawn(process.execPath, [mainOf(service), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const text = Buffer.concat(output).toString();
      if (code === 0) resolve(text);
      else
        reject(new StartError(`${service} ${args[0]} failed:\n${text}${Buffer.concat(errors).toString()}`.trimEnd()));
    });
  });
}
