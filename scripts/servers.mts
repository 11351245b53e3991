/**
 * The servers that the platform uses. Existing ones are used if their addresses are set; others are started privately, with separate ports and data
 * directories, and are stopped with the supervisor.
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
  /** The URL for an administrator who may create roles and databases. */
  databaseUrl: string;
  /** The URL for the administrator of a private NATS server, or the URL that was set. */
  natsUrl: string;
  /** The URLs for each service's user; absent if a NATS server was set, because then all services use its URL. */
  natsUrls?: Readonly<Record<NatsService, string>>;
  redisUrl: string;
}

export interface ServersOptions {
  /** The folder for the data of private servers; see dataDirectory(). */
  directory: string;
  /** The password of the private PostgreSQL's administrator. */
  password: string;
  /** True: with fsync, so that a committed write survives any crash. */
  durable: boolean;
  /** Addresses of servers that already exist; an empty address counts as absent. */
  given: Partial<ServerAddresses>;
  say: (text: string) => void;
  /** Creates the function that receives the output lines of a server. */
  lines?: (name: string) => (line: string) => void;
}

/**
 * Starts the servers that were not set, and resolves when all servers respond.
 * @throws StartError if a NATS server that was set does not respond, because services would wait for it without an error
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
