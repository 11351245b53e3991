/** The whole platform of one home: servers, tables, services and the first credentials. Used by `npm start` and `npm run dev`. */
import { createWriteStream, type WriteStream } from 'node:fs';
import path from 'node:path';
import { keepCertificates } from '@parley/testing/kept-certificates';
import { freePort, isPortFree } from '../processes/free-ports.mts';
import { endLeftovers, type StartedProcess } from '../processes/leftovers.mts';
import { StartError } from '../processes/program.mts';
import { Supervisor, type Running } from '../processes/supervisor.mts';
import { startServers, type ServerAddresses } from '../servers.mts';
import { databaseUser, dataDirectory } from '../servers/database-user.mts';
import { createAccount, keysOfEarlierStart, type DevelopmentKeys } from './accounts.mts';
import { isMigrated, migrate, mintPlatformKeys, type MintedKey } from './commands.mts';
import { openLogs, readJson, writeJson } from './files.mts';
import { forget, homeAt, leaveHome, takeHome, type Home } from './home.mts';
import type { StartOptions } from './options.mts';
import { clock, readable } from './request-log.mts';
import { loadSecrets, type Secrets } from './secrets.mts';
import {
  certificates,
  optionalServices,
  serviceNames,
  serviceProgram,
  servicesWithDatabase,
  type ServiceName,
  type ServiceProcess,
  type Surroundings,
} from './services.mts';

export class Platform {
  readonly home: Home;
  readonly options: StartOptions;
  readonly supervisor: Supervisor;
  private readonly directory: string;
  private readonly logs = new Map<string, WriteStream>();
  private processes: ServiceProcess[] = [];
  private addresses: ServerAddresses | undefined;
  private holdsHome = false;
  private isUp = false;

  constructor(options: StartOptions) {
    this.options = options;
    this.home = homeAt(options.home);
    this.directory = dataDirectory(options.home, databaseUser());
    this.supervisor = new Supervisor({
      onNotice: (text) => this.say(`${clock()} ${text}`),
      onChange: (running) => this.record(running),
    });
  }

  say(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  /** Starts everything and waits until it is ready. @throws StartError for problems that the user can fix */
  async start(): Promise<DevelopmentKeys> {
    await this.refuseTakenPort();
    takeHome(this.home);
    this.holdsHome = true;
    const leftovers = await endLeftovers(readJson<StartedProcess[]>(this.home.processes) ?? []);
    if (leftovers > 0) this.say(`ended ${leftovers} processes that an earlier start left behind`);
    if (this.options.fresh) this.forget();
    openLogs(this.home.logs);
    const secrets = loadSecrets(this.home.secrets, servicesWithDatabase);
    await keepCertificates(certificates, [...serviceNames, ...optionalServices]);
    await this.timed('servers', () => this.startServers(secrets));
    this.processes = await this.assignPorts();
    const around = this.around(secrets);
    // The data may have been deleted although the home still exists, for example because /var/tmp was cleaned. Keys of that data are useless then.
    if (!(await isMigrated(around))) {
      delete secrets.hosted_key;
      delete secrets.simulation_key;
    }
    await this.timed('migrations', () => migrate(around));
    const keys = await this.timed('services', () => this.startServices(around));
    this.isUp = true;
    return keys;
  }

  /** Creates the tables of these services, and restarts the services one after the other. */
  async renew(services: readonly ServiceName[]): Promise<void> {
    const secrets = loadSecrets(this.home.secrets, servicesWithDatabase);
    await migrate(
      this.around(secrets),
      services.filter((name) => servicesWithDatabase.includes(name)),
    );
    for (const { name, service } of this.processes) if (services.includes(service)) await this.supervisor.restart(name);
  }

  async stop(): Promise<void> {
    await this.supervisor.stop();
    for (const log of this.logs.values()) log.end();
    if (this.holdsHome) leaveHome(this.home);
  }

  get baseUrls(): string[] {
    return this.addressesOf('gateway');
  }

  get consoleUrl(): string | undefined {
    return this.addressesOf('console').map((url) => `${url}/console`)[0];
  }

  private addressesOf(wanted: ServiceName): string[] {
    return this.processes.flatMap(({ service, port }) =>
      service === wanted && port !== undefined ? [`http://127.0.0.1:${port}`] : [],
    );
  }

  private forget(): void {
    const isOwnDatabase = Boolean(process.env.DATABASE_URL);
    forget(this.home, this.directory, isOwnDatabase);
    if (isOwnDatabase) this.say('DATABASE_URL is yours: what is in that database stays');
  }

  private async refuseTakenPort(): Promise<void> {
    const { port } = this.options;
    if (await isPortFree(port, '127.0.0.1')) return;
    throw new StartError(`port ${port} is taken. Choose another: PORT=${port + 1} npm start`);
  }

  private async startServers(secrets: Secrets): Promise<void> {
    const { DATABASE_URL: databaseUrl, NATS_URL: natsUrl, REDIS_URL: redisUrl } = process.env;
    this.addresses = await startServers(this.supervisor, {
      directory: this.directory,
      password: secrets.administrator_password,
      durable: true,
      given: { databaseUrl, natsUrl, redisUrl },
      say: (text) => this.say(text),
      lines: (name) => this.logFile(name),
    });
  }

  private async startServices(around: Surroundings): Promise<DevelopmentKeys> {
    const launch = (...services: ServiceName[]): Promise<void> => {
      const chosen = this.processes.filter(({ service }) => services.includes(service));
      return this.supervisor.start(chosen.map((one) => serviceProgram(one, around, this.lineHandler(one.name))));
    };
    // Layers are stopped in reverse order: first the engine, then the gateway, then the services that it calls.
    const core = launch('auth', 'voice-stack', 'agents', 'knowledge', 'telephony', 'webhooks', 'insights');
    const edge = launch('gateway');
    const workerKeys = this.workerKeys(around);
    const engine = workerKeys.then(() => launch('engine'));
    const pages = this.options.console ? launch('console') : undefined;
    await Promise.all([core, edge, engine, pages]);
    return this.account(around, await workerKeys);
  }

  /** Sets the keys of the hosted workers: those of an earlier start, or new ones. A new platform's operator key is minted with them, which saves a process. */
  private async workerKeys({ secrets, ...around }: Surroundings): Promise<MintedKey | undefined> {
    if (secrets.hosted_key && secrets.simulation_key) return undefined;
    const minted = await mintPlatformKeys({ secrets, ...around }, ['operator', 'hosted', 'hosted-simulation']);
    secrets.hosted_key ??= minted.hosted.token;
    secrets.simulation_key ??= minted['hosted-simulation'].token;
    writeJson(this.home.secrets, secrets);
    return minted.operator;
  }

  private async account(around: Surroundings, minted: MintedKey | undefined): Promise<DevelopmentKeys> {
    const [baseUrl = ''] = this.baseUrls;
    const earlier = await keysOfEarlierStart(this.home.development, baseUrl);
    if (earlier) return earlier;
    const operator = minted ?? (await mintPlatformKeys(around, ['operator'])).operator;
    return createAccount(this.home.development, baseUrl, operator.token);
  }

  private around(secrets: Secrets): Surroundings {
    if (!this.addresses) throw new Error('the servers are not started');
    return { options: this.options, servers: this.addresses, secrets, processes: this.processes };
  }

  /** The first gateway gets the requested port; the others get the next ones if they are free. */
  private async assignPorts(): Promise<ServiceProcess[]> {
    const processes: ServiceProcess[] = [];
    for (const service of serviceNames) {
      for (let replica = 0; replica < this.options.replicas; replica += 1) {
        const wanted = this.options.port === 0 ? await freePort() : this.options.port + replica;
        const isWantedFree = replica === 0 || (wanted < 65_536 && (await isPortFree(wanted, '127.0.0.1')));
        processes.push({
          service,
          replica,
          name: `${service}-${replica}`,
          grpcPort: await freePort(),
          healthPort: await freePort(),
          ...(service === 'gateway' && {
            port: isWantedFree ? wanted : await freePort(),
            internalPort: await freePort(),
          }),
          ...(service === 'engine' && { mediaPort: await freePort() }),
        });
      }
    }
    if (this.options.console) processes.push(await this.consoleProcess());
    return processes;
  }

  /** The console has one process, with the port after those of the gateways, or any free one. */
  private async consoleProcess(): Promise<ServiceProcess> {
    const { port, replicas } = this.options;
    const wanted = port + replicas;
    const isWantedFree = port !== 0 && wanted < 65_536 && (await isPortFree(wanted, '127.0.0.1'));
    return {
      service: 'console',
      replica: 0,
      name: 'console-0',
      grpcPort: await freePort(),
      healthPort: await freePort(),
      port: isWantedFree ? wanted : await freePort(),
    };
  }

  private logFile(name: string): (line: string) => void {
    const log = createWriteStream(path.join(this.home.logs, `${name}.log`), { mode: 0o600 });
    this.logs.set(name, log);
    return (line) => void log.write(`${line}\n`);
  }

  private lineHandler(name: string): (line: string) => void {
    const keep = this.logFile(name);
    return (line) => {
      keep(line);
      // During the start each service warns that others are not available yet. These lines are only in the log file, and are shown if the start fails.
      const shown = this.isUp ? readable(line, name) : undefined;
      if (shown !== undefined) this.say(shown);
    };
  }

  /** Updates platform.json, and the list of processes that the next start has to end if this one cannot. */
  private record(running: readonly Running[]): void {
    const started: StartedProcess[] = running.map(({ pid, program: { mark, stopSignal } }) => ({
      pid,
      mark,
      stopSignal,
    }));
    writeJson(this.home.processes, started);
    if (!this.addresses) return;
    const { databaseUrl, natsUrl, redisUrl } = this.addresses;
    const pids = new Map(running.map(({ pid, program }) => [program.name, pid]));
    const servers = running
      .filter(({ program }) => !this.processes.some(({ name }) => name === program.name))
      .map(({ pid, program }) => ({ name: program.name, replica: 0, pid }));
    const services = this.processes
      .filter(({ name }) => pids.has(name))
      .map(({ service, replica, name, grpcPort, healthPort, mediaPort, internalPort, port }) => ({
        name: service,
        replica,
        pid: pids.get(name),
        grpc_port: grpcPort,
        health_port: healthPort,
        media_port: mediaPort,
        internal_port: internalPort,
        port,
      }));
    writeJson(this.home.platform, {
      supervisor_pid: process.pid,
      base_urls: this.baseUrls,
      nats_url: natsUrl,
      database_url: databaseUrl,
      redis_url: redisUrl,
      data_directory: this.directory,
      processes: [...servers, ...services],
    });
  }

  private async timed<T>(name: string, work: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    const result = await work();
    this.say(`${name.padEnd(10)} ${((performance.now() - begin) / 1000).toFixed(1)} s`);
    return result;
  }
}
