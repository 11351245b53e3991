/** The two SIP callers of the trial: programs that each place one call on loopback and then exit. */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readdirSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Guard } from '../../processes/guard.mts';
import { freeUdpPort } from '../ports.mts';
import { sippScenario } from './sipp-scenario.mts';

/** Both programs give up after this time. */
export const longestCallSeconds = 20;

/** baresip sends a digit until it receives this character, which stands for the release of a key. */
const keyReleased = '\u0004';
const keyMs = 160;

export interface CallOptions {
  binary: string;
  /** Ends the caller when this process ends. */
  guard: Guard;
  directory: string;
  sipPort: number;
  /** The called number; the media server receives it as call_id. */
  number: string;
  /** The audio that the caller plays after the answer: raw mu-law for sipp, a WAV file with 16 kHz for baresip. */
  audio: string;
}

export interface PlacedCall {
  /** Presses a key of the telephone. Has no effect for sipp, whose scenario contains its keys. */
  press(digit: string): void;
  /** Resolves when the program has ended, with its exit code and output. */
  ended: Promise<{ code: number; output: string }>;
  kill(): void;
}

export async function callWithSipp(options: CallOptions): Promise<PlacedCall> {
  const { directory, sipPort, number, audio } = options;
  mkdirSync(directory, { recursive: true });
  const scenario = path.join(directory, 'scenario.xml');
  writeFileSync(scenario, sippScenario(audio));
  const args = [
    '-sf',
    scenario,
    '-s',
    number,
    '-m',
    '1',
    '-l',
    '1',
    '-i',
    '127.0.0.1',
    '-mi',
    '127.0.0.1',
    '-bind_local',
  ];
  args.push(
    '-p',
    String(await freeUdpPort()),
    '-mp',
    String(await freeUdpPort()),
    '-ci',
    '127.0.0.1',
    '-cp',
    String(await freeUdpPort()),
    '-nostdin',
  );
  args.push(
    '-timeout',
    `${longestCallSeconds}s`,
    '-timeout_error',
    '-trace_err',
    '-error_file',
    path.join(directory, 'errors'),
  );
  return run(options, [...args, `127.0.0.1:${sipPort}`], () => undefined);
}

export async function callWithBaresip(options: CallOptions): Promise<PlacedCall> {
  const { directory, sipPort, number, audio } = options;
  mkdirSync(directory, { recursive: true });
  const keys = await freeUdpPort();
  const settings = {
    poll_method: 'epoll',
    net_interface: '127.0.0.1',
    sip_listen: `127.0.0.1:${await freeUdpPort()}`,
    rtp_ports: await rtpPorts(),
    audio_source: `aufile,${audio}`,
    ausrc_srate: '16000',
    snd_path: directory,
    cons_listen: `127.0.0.1:${keys}`,
    statmode_default: 'off',
    module_path: '/usr/lib/baresip/modules',
  };
  const modules = ['module g722.so', 'module aufile.so', 'module sndfile.so', 'module cons.so'];
  const loaded = [...modules, 'module_tmp account.so', 'module_app menu.so'];
  const lines = [...Object.entries(settings).map(([name, value]) => `${name} ${value}`), ...loaded];
  writeFileSync(path.join(directory, 'config'), `${lines.join('\n')}\n`);
  writeFileSync(path.join(directory, 'accounts'), '<sip:caller@127.0.0.1>;regint=0\n');
  writeFileSync(path.join(directory, 'contacts'), '');
  const dial = `/dial sip:${number}@127.0.0.1:${sipPort}`;
  const args = ['-4', '-f', directory, '-t', String(longestCallSeconds), '-e', dial];
  return run(options, args, (key) => {
    const socket = createSocket('udp4');
    socket.send(key, keys, '127.0.0.1');
    setTimeout(() => socket.send(keyReleased, keys, '127.0.0.1', () => socket.close()), keyMs);
  });
}

/** The files that baresip's sndfile module has written: the audio that it sent and received. */
export function recordingsOfBaresip(directory: string): { sent: string; heard: string } {
  const named = (end: string): string =>
    path.join(directory, readdirSync(directory).find((name) => name.endsWith(end)) ?? end);
  return { sent: named('-enc.wav'), heard: named('-dec.wav') };
}

/** Two consecutive ports, the first one even. */
async function rtpPorts(): Promise<string> {
  for (;;) {
    const port = await freeUdpPort();
    if (port % 2 === 0) return `${port}-${port + 1}`;
  }
}

function run({ binary, guard, directory }: CallOptions, args: string[], press: (digit: string) => void): PlacedCall {
  const env = { PATH: process.env.PATH, HOME: directory, TERM: 'xterm' };
  const child = spawn(binary, args, { cwd: directory, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) guard.add(child.pid, 'SIGTERM');
  const printed: Buffer[] = [];
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => printed.push(chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), (longestCallSeconds + 5) * 1_000);
  const ended = new Promise<{ code: number; output: string }>((resolve) => {
    const done = (code: number): void => {
      clearTimeout(timer);
      guard.drop(child.pid ?? 0);
      resolve({ code, output: Buffer.concat(printed).toString() });
    };
    child.once('error', () => done(1));
    child.once('close', (code) => done(code ?? 1));
  });
  return { press, ended, kill: () => child.kill('SIGTERM') };
}
