/**
 * An Asterisk for tests: unpacked packages run by their own dynamic loader, so that no root, chroot or mount is needed and the host's libraries are not used.
 * It ends with the process that started it.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { StartError, type Program } from '../processes/program.mts';
import { Supervisor } from '../processes/supervisor.mts';
import { ariAnswers, sipAnswers } from './answers.mts';
import { writeConfiguration } from './configuration.mts';
import { install, type Installation } from './install/install.mts';
import { freeAsteriskPorts, type AsteriskPorts } from './ports.mts';

export interface AsteriskOptions {
  /** Where each call's audio goes: a websocket server on the loopback that speaks chan_websocket's protocol. */
  mediaUrl: string;
  /** A folder used only for this run's configuration, state and log. */
  directory: string;
  /** Ports that are not given are selected. */
  ports?: Partial<AsteriskPorts>;
  /** Packages that are already installed; otherwise they are installed first. */
  installation?: Installation;
  /** Runs Asterisk with other programs; its stop() ends Asterisk too. */
  supervisor?: Supervisor;
  say?: (text: string) => void;
  /** The credentials of its REST interface; generated if omitted. */
  ari?: { user: string; password: string };
  /** Configuration files that replace or extend those of the trial: name to lines. */
  files?: (ports: AsteriskPorts) => Readonly<Record<string, readonly string[]>>;
}

export interface RunningAsterisk {
  version: string;
  ports: AsteriskPorts;
  sipPort: number;
  ari: { url: string; user: string; password: string };
  /** Asterisk's log output. */
  log: string;
  /** A substring of its command line. */
  mark: string;
  /** Of the current process; undefined if there is none. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

/** By Node's architecture, Debian's name of the loader and the library folder. */
const loaders: Partial<Record<NodeJS.Architecture, [loader: string, libraries: string]>> = {
  x64: ['usr/lib64/ld-linux-x86-64.so.2', 'usr/lib/x86_64-linux-gnu'],
  arm64: ['usr/lib/ld-linux-aarch64.so.1', 'usr/lib/aarch64-linux-gnu'],
};
/** Maximum length of its control socket's path, including the name that Asterisk appends. */
const longestDirectory = 107 - '/asterisk.ctl'.length;
const name = 'asterisk';

export async function startAsterisk(options: AsteriskOptions): Promise<RunningAsterisk> {
  const say = options.say ?? (() => undefined);
  const directory = path.resolve(options.directory);
  requireLoopback(options.mediaUrl);
  if (Buffer.byteLength(directory) > longestDirectory) {
    throw new StartError(`the path of Asterisk's folder may have ${longestDirectory} bytes: ${directory}`);
  }
  const { root, version } = options.installation ?? (await install({ say }));
  const [loader, libraries] = loaderIn(root);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const ports = await freeAsteriskPorts(options.ports);
  const ari = options.ari ?? { user: 'parley', password: randomBytes(18).toString('base64url') };
  const configuration = writeConfiguration({
    root,
    libraries,
    directory,
    mediaUrl: options.mediaUrl,
    ports,
    ari,
    files: options.files?.(ports),
  });
  const url = `http://127.0.0.1:${ports.http}/ari`;
  const program: Program = {
    name,
    command: loader,
    args: [
      '--inhibit-cache',
      '--library-path',
      libraries,
      path.join(root, 'usr/sbin/asterisk'),
      '-fn',
      '-C',
      configuration,
    ],
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory, OPENSSL_CONF: '/dev/null' },
    mark: configuration,
    stopSignal: 'SIGTERM',
    stopMs: 5_000,
    ready: async () => (await ariAnswers(url, ari.user, ari.password)) ?? (await sipAnswers(ports.sip)),
    onLine: say,
  };
  const supervisor = options.supervisor ?? new Supervisor({ onNotice: say, readyTimeoutMs: 20_000 });
  try {
    await supervisor.start([program]);
  } catch (error) {
    if (!options.supervisor) await supervisor.stop();
    throw error;
  }
  return {
    version,
    ports,
    sipPort: ports.sip,
    ari: { url, ...ari },
    log: path.join(directory, 'log/messages'),
    mark: configuration,
    pid: () => supervisor.running().find((running) => running.program.name === name)?.pid,
    stop: () => supervisor.stop(),
  };
}

function loaderIn(root: string): [loader: string, libraries: string] {
  const [loader, libraries] = loaders[process.arch]?.map((file) => path.join(root, file)) ?? [];
  if (loader === undefined || libraries === undefined || !existsSync(loader)) {
    throw new StartError(`Asterisk's packages hold no loader for ${process.arch} (${root})`);
  }
  return [loader, libraries];
}

function requireLoopback(mediaUrl: string): void {
  const { protocol, hostname } = new URL(mediaUrl);
  if (protocol === 'ws:' && ['127.0.0.1', 'localhost'].includes(hostname)) return;
  throw new StartError(`the address for media must be ws://127.0.0.1:PORT/PATH, not ${mediaUrl}`);
}
