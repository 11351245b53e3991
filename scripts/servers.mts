/**
 * The servers that the platform uses. Existing ones are used by their address; the others are started privately: own ports, own data directory, stopped with
 * the supervisor.
 */
import path from 'node:path';
import { freePort } from './processes/free-ports.mts';
import { StartError, type Program } from './processes/program.mts';
import type { Supervisor } from './processes/supervisor.mts';
import { databaseUser, makeDataDirectory } from './servers/database-user.mts';
import { requireBinaries, type ServerBinary } from './servers/install.mts';
import { natsError, natsProgram } from './servers/nats.mts';
import type { NatsService } from './servers/nats-users.mts';
import { postgresProgram } from './servers/postgres.mts';
import { redisProgram } from './servers/redis.mts';

export interface ServerAddresses {
  /** As an administrator who may create roles and databases. */
  databaseUrl: string;
  /** As the administrator; as the user that it names, where it is given. */
  natsUrl: string;
  /** As the user of each service; absent where NATS is given: its only URL serves all of them. */
  natsUrls?: Readonly<Record<NatsService, string>>;
  redisUrl: string;
}

export interface ServersOptions {
  /** Where private servers keep their data; see dataDirectory(). */
  directory: string;
  /** Password of the private PostgreSQL's administrator. */
  password: string;
  /** True: fsync on, so that an accepted write survives any kill. */
  durable: boolean;
  /** Servers that exist already; an empty address is none. */
  given: Partial<ServerAddresses>;
  say: (text: string) => void;
  /** Makes what takes the lines that a server prints. */
  lines?: (name: string) => (line: string) => void;
}

/**
 * Starts what is not given and resolves when every server answers.
 * @throws StartError when a NATS that is given does not: services would wait for it in silence
 */
export async function startServers(supervisor: Supervisor, options: ServersOptions): Promise<ServerAddresses> {
  const { directory, given, say } = options;
  const natsIsDeaf = given.natsUrl ? await natsError(given.natsUrl) : undefined;
  if (natsIsDeaf) throw new StartError(`NATS_URL is given, but NATS with JetStream does not answer: ${natsIsDeaf}`);
  const programs: Program[] = [];
  const missing: ServerBinary[] = [];
  if (!given.natsUrl) missing.push('nats-server');
  if (!given.redisUrl) missing.push('redis-server');
  const binaries = requireBinaries(missing, say);
  if (missing.length > 0 || !given.databaseUrl) makeDataDirectory(directory);
  const begin = (made: { program: Program; url: string }): string => {
    programs.push(made.program);
    return made.url;
  };
  const port = freePort;
  const nats = given.natsUrl
    ? undefined
    : natsProgram({ binary: binaries['nats-server'], directory, port: await port() });
  const natsUrl = nats === undefined ? given.natsUrl || '' : begin(nats);
  const redisDirectory = path.join(directory, 'redis');
  const redisUrl =
    given.redisUrl ||
    begin(redisProgram({ binary: binaries['redis-server'], directory: redisDirectory, port: await port() }));
  const databaseUrl =
    given.databaseUrl || begin(await postgresProgram({ ...options, user: databaseUser(), port: await port() }));
  await supervisor.start(programs.map((program) => ({ ...program, onLine: options.lines?.(program.name) })));
  return { databaseUrl, natsUrl, natsUrls: nats?.serviceUrls, redisUrl };
}
