/** The services' one-shot commands: migrations and the first credentials, which no route can make. */
import { spawn } from 'node:child_process';
import pg from 'pg';
import { StartError } from '../processes/program.mts';
import { root } from './options.mts';
import { mainOf, serviceEnvironment, servicesWithDatabase, type ServiceName, type Surroundings } from './services.mts';

/** Has any of the services' schemas been made in this database before? @throws StartError when it cannot be reached */
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

/** Runs the migrations of these services side by side; each takes its own lock. */
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

/** A platform credential that belongs to no organization. */
export async function mintPlatformKey(
  around: Surroundings,
  kind: 'operator' | 'hosted' | 'hosted-simulation',
): Promise<MintedKey> {
  const output = await command('auth', ['mint-platform-key', '--name', `development ${kind}`, '--kind', kind], around);
  const line = output.split('\n').find((text) => text.startsWith('{') && text.includes('"token"'));
  if (!line) throw new StartError(`auth minted no ${kind} key:\n${output}`);
  return JSON.parse(line) as MintedKey;
}

/** Resolves with the command's stdout. @throws StartError with its whole output if it fails */
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
