/** Runs commands of the services that end by themselves: migrations, and the creation of the first credentials, for which there is no API route. */
import { spawn } from 'node:child_process';
import pg from 'pg';
import { StartError } from '../processes/program.mts';
import { root } from './options.mts';
import { mainOf, serviceEnvironment, servicesWithDatabase, type ServiceName, type Surroundings } from './services.mts';

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

/** Runs the migrations of these services concurrently; each acquires a separate lock. */
export async function migrate(
  around: Surroundings,
  services: readonly ServiceName[] = servicesWithDatabase,
): Promise<void> {
  await Promise.all(services.map((service) => command(service, ['migrate'], around)));
}

export interface MintedKey {
  key_id: string;
  token: string;
}

/** Creates a platform credential that belongs to no organization. */
export async function mintPlatformKey(
  around: Surroundings,
  kind: 'operator' | 'hosted' | 'hosted-simulation',
): Promise<MintedKey> {
  const output = await command('auth', ['mint-platform-key', '--name', `development ${kind}`, '--kind', kind], around);
  const line = output.split('\n').find((text) => text.startsWith('{') && text.includes('"token"'));
  if (!line) throw new StartError(`auth minted no ${kind} key:\n${output}`);
  return JSON.parse(line) as MintedKey;
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
