/** The table of processes: the nine services and the console, their configuration, and how each is started. */
import path from 'node:path';
import { filesOf } from '@parley/testing/kept-certificates';
import { natsServices, type NatsService } from '../servers/nats-users.mts';
import type { Program } from '../processes/program.mts';
import type { ServerAddresses } from '../servers.mts';
import { root, type StartOptions } from './options.mts';
import type { Secrets } from './secrets.mts';

export const serviceNames = [
  'auth',
  'voice-stack',
  'agents',
  'knowledge',
  'telephony',
  'webhooks',
  'insights',
  'gateway',
  'engine',
] as const;
/** Services that run only on request; no other service calls them. */
export const optionalServices = ['console'] as const;
export type ServiceName = (typeof serviceNames)[number] | (typeof optionalServices)[number];
export const servicesWithDatabase: readonly ServiceName[] = [
  'auth',
  'voice-stack',
  'agents',
  'knowledge',
  'telephony',
  'webhooks',
  'insights',
];

const isNatsService = (service: ServiceName): service is NatsService =>
  (natsServices as readonly ServiceName[]).includes(service);

const servicesWithVault: readonly ServiceName[] = ['auth', 'agents', 'telephony', 'webhooks'];

/** A process of a service. Its ports are chosen once and kept over restarts, because the configuration of other processes contains them. */
export interface ServiceProcess {
  service: ServiceName;
  /** Counted from 0. */
  replica: number;
  /** Such as 'auth-0'. */
  name: string;
  grpcPort: number;
  healthPort: number;
  /** The HTTP port of the gateway and the console. */
  port?: number;
  /** The gateway's port for the engine only. */
  internalPort?: number;
  /** The engine's port for media connections. */
  mediaPort?: number;
}

export interface Surroundings {
  options: StartOptions;
  servers: ServerAddresses;
  secrets: Secrets;
  processes: readonly ServiceProcess[];
}

/** The folder with the services' certificates, used by all platforms of this checkout. `npm start` renews them. */
export const certificates = path.join(root, '.parley/certificates');

/**
 * The time in seconds that a service has to finish its work; the supervisor kills it one second later. DRAIN_SECONDS can be longer, for calls that are handed
 * over.
 */
const drainSeconds = Number(process.env.DRAIN_SECONDS ?? 5);

export function mainOf(service: ServiceName): string {
  return path.join(root, 'services', service, 'dist/main.js');
}

/**
 * A collection of V8's young objects pauses all calls of an engine, for a time that depends on how many have survived since the last one: with the default size
 * of up to 64 MB for 20 to 37 ms, with 8 MB for 7 ms. The chart has the same option.
 */
const nodeOptions = (service: ServiceName): string[] => (service === 'engine' ? ['--max-semi-space-size=8'] : []);

export function serviceProgram(one: ServiceProcess, around: Surroundings, onLine: (line: string) => void): Program {
  return {
    name: one.name,
    command: process.execPath,
    args: [...nodeOptions(one.service), mainOf(one.service)],
    cwd: root,
    env: serviceEnvironment(one, around),
    mark: mainOf(one.service),
    stopSignal: 'SIGTERM',
    stopMs: (drainSeconds + 1) * 1000,
    ready: () => asksReadiness(one.healthPort),
    onLine,
  };
}

/** The environment of a service's process, also for commands such as `migrate`, because the whole configuration is validated. */
export function serviceEnvironment(one: ServiceProcess, around: Surroundings): NodeJS.ProcessEnv {
  return {
    ...commonEnvironment(one.service, around),
    ...ownEnvironment(one, around),
    SERVICE_REPLICA: one.name,
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: String(one.grpcPort),
    HEALTH_HOST: '127.0.0.1',
    HEALTH_PORT: String(one.healthPort),
  };
}

function commonEnvironment(service: ServiceName, { servers, secrets }: Surroundings): NodeJS.ProcessEnv {
  const files = filesOf(certificates, service);
  const env: NodeJS.ProcessEnv = {
    ...withoutNpm(process.env),
    PARLEY_ENV: 'development',
    DRAIN_SECONDS: String(drainSeconds),
    TLS_CERT_FILE: files.certificate,
    TLS_KEY_FILE: files.key,
    TLS_CA_FILE: files.authorities,
    NODE_COMPILE_CACHE: path.join(root, '.parley/compile-cache'),
  };
  const hasDatabase = servicesWithDatabase.includes(service);
  if (hasDatabase) env.DATABASE_URL = ownDatabaseUrl(service, servers.databaseUrl, secrets);
  if (isNatsService(service)) env.NATS_URL = servers.natsUrls?.[service] ?? servers.natsUrl;
  if (service === 'gateway') env.REDIS_URL = servers.redisUrl;
  // The value is not set if there is a file, which can change while the platform runs.
  if (service === 'auth' && !process.env.TOKEN_PEPPERS_FILE) env.TOKEN_PEPPERS = secrets.token_peppers;
  if (service === 'console') env.CONSOLE_KEYS = secrets.console_keys;
  if (servicesWithVault.includes(service) && !process.env.VAULT_KEYS_FILE) env.VAULT_KEYS = secrets.vault_keys;
  return env;
}

function ownEnvironment(one: ServiceProcess, { options, secrets, processes }: Surroundings): NodeJS.ProcessEnv {
  const address = (service: ServiceName): string =>
    processes
      .filter((other) => other.service === service)
      .map((other) => `127.0.0.1:${other.grpcPort}`)
      .join(',');
  const addresses = (...services: ServiceName[]): NodeJS.ProcessEnv =>
    Object.fromEntries(services.map((name) => [`${name.replace('-', '_').toUpperCase()}_ADDRESS`, address(name)]));
  const mediaUrl =
    process.env.MEDIA_PUBLIC_URL ??
    `ws://127.0.0.1:${processes.find(({ service }) => service === 'engine')?.mediaPort}`;
  switch (one.service) {
    case 'auth':
    case 'webhooks':
      return {};
    case 'voice-stack':
      return addresses('auth');
    case 'knowledge':
      return addresses('auth', 'agents');
    case 'insights':
      return addresses('auth', 'agents', 'telephony', 'voice-stack');
    case 'agents':
      return addresses('voice-stack', 'auth', 'knowledge', 'telephony', 'webhooks');
    case 'telephony':
      return {
        ...addresses('agents', 'voice-stack', 'auth', 'knowledge', 'webhooks'),
        WORKER_LEASE_SECONDS: String(options.leaseSeconds),
        PUBLIC_URL:
          process.env.PUBLIC_URL ?? `http://127.0.0.1:${processes.find(({ service }) => service === 'gateway')?.port}`,
        // Clients get one address for all engines: that of the first one.
        MEDIA_PUBLIC_URL: mediaUrl,
        // Signs incoming messages for numbers of the simulator (docs/messages.md). The value is public, so that developers can send such messages.
        SIMULATOR_WEBHOOK_TOKEN: 'simulator',
      };
    case 'gateway':
      return {
        ...addresses('auth', 'agents', 'voice-stack', 'knowledge', 'telephony', 'webhooks', 'insights'),
        HOST: '127.0.0.1',
        PORT: String(one.port),
        INTERNAL_PORT: String(one.internalPort),
        PUBLIC_URL: process.env.PUBLIC_URL ?? `http://127.0.0.1:${one.port}`,
        MEDIA_PUBLIC_URL: mediaUrl,
        // In development one key does everything, so the default limit of keys is off.
        REQUESTS_PER_KEY_PER_MINUTE: process.env.REQUESTS_PER_KEY_PER_MINUTE ?? '0',
      };
    case 'engine': {
      const gateways = processes.filter(({ service }) => service === 'gateway');
      const gateway = gateways[one.replica % gateways.length];
      const pages = processes.filter(({ service }) => service === 'gateway' || service === 'console');
      return {
        // In a cluster this is the address of the Service for all gateways; test scenarios can set the address of a proxy in its place.
        GATEWAY_URL: process.env.ENGINE_GATEWAY_URL ?? `https://127.0.0.1:${gateway?.internalPort}`,
        GATEWAY_TLS: 'internal',
        MEDIA_HOST: '127.0.0.1',
        MEDIA_PORT: String(one.mediaPort),
        MEDIA_ORIGINS: process.env.MEDIA_ORIGINS ?? pages.map(({ port }) => `http://127.0.0.1:${port}`).join(','),
        SERVICE_WORKER_API_TOKEN: secrets.hosted_key,
        SIMULATION_WORKER_API_TOKEN: secrets.simulation_key,
      };
    }
    case 'console':
      return {
        GATEWAY_URL: `https://127.0.0.1:${processes.find(({ service }) => service === 'gateway')?.internalPort}`,
        GATEWAY_TLS: 'internal',
        HOST: '127.0.0.1',
        PORT: String(one.port),
        MEDIA_PUBLIC_URL: mediaUrl,
      };
  }
}

/** The administrator's database address with the role of the service. Test scenarios can set the address of a pooler in its place, which migrations do not use. */
export function ownDatabaseUrl(service: ServiceName, administrator: string, secrets: Secrets): string {
  const url = new URL(process.env.SERVICES_DATABASE_URL ?? administrator);
  url.username = `parley_${service.replace('-', '_')}`;
  url.password = secrets.role_passwords[service] ?? '';
  return url.href;
}

/** The user's environment (LOG_LEVEL, OTEL_EXPORTER_OTLP_ENDPOINT, proxies) without variables that are meant for other programs. */
function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign = /^(npm_|INIT_CWD$|PORT$|HOST$|DATABASE_URL$|MIGRATIONS_DATABASE_URL$|NATS_URL$|REDIS_URL$)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}

async function asksReadiness(healthPort: number): Promise<string | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${healthPort}/readyz`, { signal: AbortSignal.timeout(2_000) });
    const text = await answer.text();
    return answer.ok ? undefined : text;
  } catch (error) {
    return error instanceof Error ? `/readyz: ${error.message}` : String(error);
  }
}
