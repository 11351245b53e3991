import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from './eventually';
import { freePort } from './free-port';

/** A NATS server with JetStream for a single test, which may kill it and delete its store. */
export interface PrivateNats {
  /** The URL, which stays the same after restarts. */
  readonly url: string;
  /** The folder of its store, which may be changed only while the server is stopped. */
  readonly store: string;
  /** Kills the server with SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
  /** Starts the server again on the same port, with what its store still contains. */
  start(): Promise<void>;
  /** Deletes everything that JetStream stored; only allowed while the server is stopped. */
  deleteStore(): void;
  close(): Promise<void>;
}

const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/bin', '/usr/local/bin'];

function serverBinary(): string {
  const found = folders
    .map((folder) => path.join(folder, 'nats-server'))
    .find((candidate) => {
      try {
        accessSync(candidate, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  if (found === undefined) throw new Error('nats-server is neither on PATH nor in the usual folders');
  return found;
}

/** True if the server with this name responds; undefined if none or another one does. */
function answers(port: number, name: string): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = dial(port, '127.0.0.1');
    // The first line is the server's INFO, which contains its name near the beginning.
    socket.once('data', (greeting) => {
      socket.destroy();
      resolve(greeting.toString('utf8').includes(`"server_name":"${name}"`) ? true : undefined);
    });
    socket.once('error', () => resolve(undefined));
  });
}

export interface PrivateNatsOptions {
  /** A certificate and its key in PEM. If set, clients must use TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/** Starts a server on a free port of the loopback address with a new store. */
export async function privateNats({ tls }: PrivateNatsOptions = {}): Promise<PrivateNats> {
  const home = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
  const store = path.join(home, 'store');
  const name = path.basename(home);
  let port = await freePort();
  let running: ChildProcess | undefined;
  const secured: string[] = [];
  if (tls !== undefined) {
    const [certificate, key] = ['tls.crt', 'tls.key'].map((file) => path.join(home, file)) as [string, string];
    writeFileSync(certificate, tls.certificate);
    writeFileSync(key, tls.key, { mode: 0o600 });
    secured.push('--tls', '--tlscert', certificate, '--tlskey', key);
  }

  /** Returns false if the process ended before it responded, for example because its port is in use. */
  const started = async (): Promise<boolean> => {
    mkdirSync(store, { recursive: true });
    const own = ['-n', name, '-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store, ...secured];
    const child = spawn(serverBinary(), own, { stdio: 'ignore' });
    running = child;
    return eventually(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return { up: false };
      return (await answers(port, name)) && { up: true };
    }).then(({ up }) => up);
  };
  const start = async (): Promise<void> => {
    if (!(await started())) throw new Error(`nats-server does not start on port ${port}`);
  };
  const kill = async (): Promise<void> => {
    const child = running;
    running = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGKILL');
    await gone;
  };
  const deleteStore = (): void => {
    if (running !== undefined) throw new Error('kill the server first');
    rmSync(store, { recursive: true, force: true });
  };

  // A port that was free may be in use a moment later.
  for (let left = 10; !(await started()); left -= 1) {
    if (left === 0) throw new Error('nats-server does not start');
    port = await freePort();
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    store,
    kill,
    start,
    deleteStore,
    close: async () => {
      await kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Several servers that replicate their streams, each on the loopback address with its own store. */
export interface NatsCluster {
  /** The URLs of all servers, separated by commas. */
  readonly url: string;
  /** Kills one server, by its index, with SIGKILL; resolves when the process has ended. */
  kill(place: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts this many servers as one cluster. Resolves when all of them listen, which is before they have elected a leader. */
export async function natsCluster(size: number): Promise<NatsCluster> {
  const home = mkdtempSync(path.join(tmpdir(), 'parley-nats-cluster-'));
  const members: { port: number; route: number }[] = [];
  for (let place = 0; place < size; place += 1) members.push({ port: await freePort(), route: await freePort() });
  const routes = members.map(({ route }) => `nats://127.0.0.1:${route}`).join(',');
  const children = members.map(({ port, route }, place) => {
    const store = path.join(home, String(place));
    mkdirSync(store);
    const own = ['-n', `n${place}`, '-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store];
    const cluster = ['-cluster_name', 'test', '-cluster', `nats://127.0.0.1:${route}`, '-routes', routes];
    return spawn(serverBinary(), [...own, ...cluster], { stdio: 'ignore' });
  });
  const kill = async (child: ChildProcess | undefined): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGKILL');
    await gone;
  };
  const close = async (): Promise<void> => {
    await Promise.all(children.map(kill));
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await Promise.all(members.map(({ port }, place) => eventually(() => answers(port, `n${place}`))));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: members.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
    kill: (place) => kill(children[place]),
    close,
  };
}
