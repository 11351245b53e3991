/**
 * npm run asterisk -- <install|start|stop|status|try>: an Asterisk for tests, from Debian packages that are unpacked without being installed. `start` stays in
 * the foreground and stops Asterisk when it ends. `try` places one call with sipp and one with baresip.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { install } from './asterisk/install/install.mts';
import type { AsteriskPorts } from './asterisk/ports.mts';
import { claimDirectory, readRunning, removeRunFile, stopRunning, writeRunFile } from './asterisk/run-file.mts';
import { startAsterisk, type RunningAsterisk } from './asterisk/start.mts';
import { root } from './platform/options.mts';
import { stopOnSignal, stopWithParent } from './platform/signals.mts';
import { StartError } from './processes/program.mts';
import { Supervisor } from './processes/supervisor.mts';

const usage = `usage: npm run asterisk -- <command> [options]
  install              fetch and unpack the packages (into $XDG_CACHE_HOME/parley/asterisk)
  start                run Asterisk in the foreground
  stop                 end the one that was started from the folder
  status               its addresses; exits 1 when none runs
  try                  one call from sipp and one from baresip, judged by what the caller recorded
options of install, start and try:
  --locked             an archive that has not the packages of the lock any more is an error
  --update-lock        install: write the archive's present packages into the lock
  --keep               try: keep the recordings of a good trial too
options of start, stop and status:
  --directory DIR      configuration, state and log (default .parley/asterisk)
  --media-url URL      where the audio of each call goes (default ws://127.0.0.1:9099/media)
  --sip-port P, --http-port P, --rtp-ports FIRST-LAST   (default: free ones)`;

const say = (text: string): void => console.error(text);

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        locked: { type: 'boolean' },
        'update-lock': { type: 'boolean' },
        keep: { type: 'boolean' },
        directory: { type: 'string', default: '.parley/asterisk' },
        'media-url': { type: 'string', default: 'ws://127.0.0.1:9099/media' },
        'sip-port': { type: 'string' },
        'http-port': { type: 'string' },
        'rtp-ports': { type: 'string' },
      },
    });
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

type Values = ReturnType<typeof parse>['values'];

/** Each command returns its exit code. */
const commands: Record<string, (values: Values) => Promise<number>> = {
  install: async ({ locked, 'update-lock': updateLock }) => {
    const { root: folder, version, differences } = await install({ say, locked, updateLock });
    console.log(`Asterisk ${version} in ${folder}`);
    for (const line of differences) console.log(`not of the lock: ${line}`);
    return 0;
  },
  start,
  stop: async ({ directory }) => {
    console.log((await stopRunning(path.resolve(root, directory))) ? 'stopped' : 'Asterisk does not run');
    return 0;
  },
  status: async ({ directory }) => {
    const running = readRunning(path.resolve(root, directory));
    console.log(running ? JSON.stringify(running, undefined, 2) : 'Asterisk does not run');
    return running ? 0 : 1;
  },
  try: async ({ locked, keep }) => {
    const { tryCalls } = await import('./asterisk/trial/trial.mts');
    const { version, rows, broken } = await tryCalls({ say, locked, keep });
    console.log(`Asterisk ${version}`);
    console.table(rows);
    for (const promise of broken) console.error(`BROKEN: ${promise}`);
    console.log(broken.length === 0 ? 'both calls are good' : `${broken.length} broken`);
    return broken.length === 0 ? 0 : 1;
  },
};

async function start(values: Values): Promise<number> {
  const directory = path.resolve(root, values.directory);
  await claimDirectory(directory);
  const installation = await install({ say, locked: values.locked });
  let asterisk: RunningAsterisk | undefined;
  const supervisor = new Supervisor({
    onNotice: say,
    readyTimeoutMs: 20_000,
    // Written again after a restart, because the process id has changed.
    onChange: () => asterisk?.pid() !== undefined && writeRunFile(directory, asterisk),
  });
  const stopped = stopOnSignal({ stop: () => supervisor.stop(), kill: () => supervisor.kill() });
  try {
    const mediaUrl = values['media-url'];
    asterisk = await startAsterisk({ mediaUrl, directory, ports: portsOf(values), installation, supervisor, say });
    writeRunFile(directory, asterisk);
    const { version, ports, ari } = asterisk;
    console.log(`Asterisk ${version}: sip:127.0.0.1:${ports.sip}, ARI at ${ari.url}, calls to ${mediaUrl}`);
    return await stopped;
  } finally {
    await supervisor.stop();
    removeRunFile(directory);
  }
}

function portsOf(values: Values): Partial<AsteriskPorts> {
  const port = (text: string | undefined): number | undefined => {
    if (text === undefined) return undefined;
    const value = Number(text);
    if (Number.isInteger(value) && value > 0 && value < 65_536) return value;
    throw new StartError(`${text} is no port\n${usage}`);
  };
  const [first, last] = values['rtp-ports']?.split('-').map(port) ?? [];
  const isRow = first !== undefined && last !== undefined && first < last;
  if (values['rtp-ports'] !== undefined && !isRow) throw new StartError(`--rtp-ports takes FIRST-LAST\n${usage}`);
  return {
    sip: port(values['sip-port']),
    http: port(values['http-port']),
    rtp: isRow ? { first, last } : undefined,
  };
}

try {
  stopWithParent();
  const { values, positionals } = parse(process.argv.slice(2));
  const run = positionals.length === 1 ? commands[positionals[0] ?? ''] : undefined;
  if (!run) throw new StartError(usage);
  process.exit(await run(values));
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
