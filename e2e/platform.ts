import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until, witnesses } from './until';

export const root = path.resolve(__dirname, '..');

/** The beginning of the variables that name the folders of the platforms that a whole run starts once. */
export const SHARED_HOME = 'SHARED_PLATFORM_HOME';
/** One replica of everything, or two of each service with short leases. */
export type SharedKind = 'one' | 'pair';

/** A process of the running platform, as listed in `platform.json`. */
export interface PlatformProcess {
  readonly name: string;
  readonly replica: number;
  readonly pid: number;
  readonly health_port?: number;
  readonly grpc_port?: number;
  readonly media_port?: number;
}

interface PlatformFile {
  readonly base_urls: readonly string[];
  readonly nats_url: string;
  readonly database_url: string;
  readonly processes: readonly PlatformProcess[];
}

/** The credentials that `npm start` creates for a new user. */
export interface DevelopmentFile {
  readonly base_url: string;
  readonly organization_id: string;
  readonly project_id: string;
  readonly admin_key: string;
  readonly operator_key: string;
}

export interface PlatformOptions {
  readonly replicas?: number;
  /** The duration of a worker's lease in seconds; only tests that cause failures use short ones. */
  readonly leaseSeconds?: number;
  /** The port of the first gateway. Default: a free one. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The `secrets` of another platform, for one that gets its data. Default: new ones. */
  readonly secrets?: string;
  /** The folder for data, which the test keeps and removes. Default: a new one. */
  readonly home?: string;
  /** Additional arguments of `npm start`. Default: no first call is placed. */
  readonly args?: readonly string[];
  /** The program that is started. Default: that of `npm start`. */
  readonly program?: 'start' | 'dev';
  /** Whether to start the console too. */
  readonly console?: boolean;
  /** The folder of a built checkout. Default: this one. */
  readonly checkout?: string;
}

/** Creates a folder for a platform's data that servers which run as another user can access. */
export function newHome(): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'parley-e2e-'));
  chmodSync(home, 0o755);
  return home;
}

/** A complete platform for one test: the program that `npm start` runs, with separate servers, data and ports. */
export class Platform {
  private readonly lastWords = (): string => `the platform printed last:\n${this.output().slice(-4_000)}`;

  private constructor(
    /** Undefined: the platform of the whole run, which outlives a test file. */
    private readonly child: ChildProcess | undefined,
    private readonly home: string,
    private readonly keepsHome: boolean,
    private readonly output: () => string,
  ) {
    witnesses.add(this.lastWords);
  }

  /** The platform that several test files use, each with organizations of its own; outside a whole run, a new one. */
  static async shared(kind: SharedKind = 'one'): Promise<Platform> {
    const home = process.env[`${SHARED_HOME}_${kind}`];
    if (home === undefined) return await Platform.start(kind === 'pair' ? { replicas: 2, leaseSeconds: 10 } : {});
    const logs = path.join(home, 'logs');
    const all = () => readdirSync(logs).map((name) => readFileSync(path.join(logs, name), 'utf8'));
    return new Platform(undefined, home, true, () => all().join(''));
  }

  static async start(options: PlatformOptions = {}): Promise<Platform> {
    const home = options.home ?? newHome();
    if (options.secrets !== undefined) writeFileSync(path.join(home, 'secrets.json'), options.secrets);
    const args = [`scripts/${options.program ?? 'start'}.mts`, '--home', home, '--port', String(options.port ?? 0)];
    // Another checkout may not support this option.
    if (options.checkout === undefined && options.console !== true) args.push('--no-console');
    args.push(...(options.args ?? ['--no-first-call']));
    args.push('--replicas', String(options.replicas ?? 1), '--lease-seconds', String(options.leaseSeconds ?? 15));
    const { DATABASE_URL: _database, NATS_URL: _nats, REDIS_URL: _redis, ...inherited } = process.env;
    const child = spawn(process.execPath, args, {
      cwd: options.checkout ?? root,
      env: {
        ...inherited,
        MINTS_PER_MINUTE: '100000',
        ORGANIZATION_MINTS_PER_MINUTE: '100000',
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-200_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const platform = new Platform(child, home, options.home !== undefined, () => output);
    try {
      await until('the platform is ready', () => platform.isReady(), 300_000);
    } catch (error) {
      await platform.stop();
      throw new Error(`the platform did not start:\n${output.slice(-8_000)}`, { cause: error });
    }
    return platform;
  }

  /** The platform's output, including the logs of all its processes. */
  get log(): string {
    return this.output();
  }

  get development(): DevelopmentFile {
    return JSON.parse(readFileSync(path.join(this.home, 'dev.json'), 'utf8')) as DevelopmentFile;
  }

  /** Passwords, peppers and keys: everything that a backup needs in addition to the database. */
  get secrets(): string {
    return readFileSync(path.join(this.home, 'secrets.json'), 'utf8');
  }

  get baseUrls(): readonly string[] {
    return this.file.base_urls;
  }

  /** The URL for the database's administrator. */
  get databaseUrl(): string {
    return this.file.database_url;
  }

  /** The file mode of a process's log. A server's log has its name, a service's log that of its replica. */
  logMode(name: string): number {
    const [file] = [name, `${name}-0`].map((one) => path.join(this.home, 'logs', `${one}.log`)).filter(existsSync);
    if (file === undefined) throw new Error(`${name} has no log`);
    return statSync(file).mode & 0o777;
  }

  /** What one process has printed so far, for example `auth-0` or `postgres`. */
  logOf(name: string): string {
    return readFileSync(path.join(this.home, 'logs', `${name}.log`), 'utf8');
  }

  /** The URL for the administrator of NATS. */
  get natsUrl(): string {
    return this.file.nats_url;
  }

  /** `natsUrl` as options of the NATS client. */
  get natsServer(): { servers: string; user: string; pass: string } {
    const { host, username, password } = new URL(this.natsUrl);
    return { servers: host, user: username, pass: password };
  }

  get processes(): readonly PlatformProcess[] {
    return this.file.processes;
  }

  /** Kills a process with SIGKILL and waits until it was restarted with another pid. */
  async kill(name: string, replica = 0): Promise<void> {
    const find = () => this.processes.find((entry) => entry.name === name && entry.replica === replica);
    const victim = find();
    if (victim === undefined) throw new Error(`no process ${name}-${replica}`);
    process.kill(victim.pid, 'SIGKILL');
    await until(`${name}-${replica} runs again`, () => {
      const successor = find();
      return successor !== undefined && successor.pid !== victim.pid;
    });
  }

  /** Resolves when every gateway reports that all services behind it are ready. */
  async ready(): Promise<void> {
    await until('every gateway is ready', () => this.isReady());
  }

  /** The exit code of the program that was started; null while it runs, and if a signal killed it. */
  get exitCode(): number | null {
    return this.child?.exitCode ?? null;
  }

  async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<void> {
    witnesses.delete(this.lastWords);
    const { child } = this;
    if (child?.exitCode === null && child.signalCode === null) {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await exited;
    }
    if (!this.keepsHome) rmSync(this.home, { recursive: true, force: true });
  }

  private get file(): PlatformFile {
    return JSON.parse(readFileSync(path.join(this.home, 'platform.json'), 'utf8')) as PlatformFile;
  }

  private async isReady(): Promise<boolean> {
    if (this.exitCode !== null) throw new Error(`the platform ended with ${this.exitCode}`);
    try {
      if (this.development.admin_key === '') return false;
      const answers = await Promise.all(this.baseUrls.map((url) => fetch(`${url}/readyz`)));
      if (answers.length === 0 || answers.some(({ status }) => status !== 200)) return false;
      const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { degraded?: string[] }[];
      return bodies.every(({ degraded }) => degraded === undefined);
    } catch {
      return false;
    }
  }
}
