/** baresip as a telephone: it calls or is called, presses keys, and records both directions. */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freeRow } from '../../scripts/asterisk/ports.mts';
import { readWav, type Sound } from '../../scripts/asterisk/trial/sound.mts';
import type { Guard } from '../../scripts/processes/guard.mts';

export interface TelephoneOptions {
  readonly guard: Guard;
  readonly directory: string;
  /** The user part of its SIP address. */
  readonly user: string;
  readonly codec: 'g711' | 'g722';
  /** The audio file that it plays, at 16 kHz for G.722 and 8 kHz for G.711. */
  readonly audio: string;
  /** The port on which it listens; by default any free one. */
  readonly sipPort?: number;
  /** Whether it answers calls automatically. */
  readonly answers?: boolean;
  readonly longestSeconds: number;
}

const keyReleased = '\u0004';

export class Telephone {
  /** The lines of its output, with times. */
  readonly lines: { readonly at: number; readonly text: string }[] = [];
  readonly ended: Promise<number>;
  private readonly kill: () => void;
  private readonly keys: number;
  readonly sipPort: number;
  private readonly options: TelephoneOptions;

  private constructor(options: TelephoneOptions, sipPort: number, keys: number, dial: string | undefined) {
    this.options = options;
    this.sipPort = sipPort;
    this.keys = keys;
    const { directory, guard, longestSeconds } = options;
    const args = ['-4', '-f', directory, '-t', String(longestSeconds), ...(dial === undefined ? [] : ['-e', dial])];
    const env = { PATH: process.env.PATH, HOME: directory, TERM: 'xterm' };
    const child = spawn('baresip', args, { cwd: directory, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const { pid } = child;
    if (pid !== undefined) guard.add(pid, 'SIGTERM');
    for (const output of [child.stdout, child.stderr])
      output.on('data', (chunk: Buffer) => this.lines.push({ at: performance.now(), text: chunk.toString() }));
    const timer = setTimeout(() => child.kill('SIGKILL'), (longestSeconds + 5) * 1_000);
    this.ended = new Promise((resolve) => {
      const done = (code: number): void => {
        clearTimeout(timer);
        if (pid !== undefined) guard.drop(pid);
        resolve(code);
      };
      child.once('error', () => done(1));
      child.once('close', (code) => done(code ?? 1));
    });
    this.kill = () => child.kill('SIGTERM');
  }

  static async start(options: TelephoneOptions, dial?: string): Promise<Telephone> {
    const { directory, user, codec, audio, answers = false } = options;
    mkdirSync(directory, { recursive: true });
    // Seven consecutive ports: four for media, one for keys, and two for SIP, because baresip uses the second one for TLS.
    const { first: rtp } = await freeRow(7);
    const keys = rtp + 4;
    const sipPort = options.sipPort ?? rtp + 5;
    const settings = {
      poll_method: 'epoll',
      net_interface: '127.0.0.1',
      sip_listen: `127.0.0.1:${sipPort}`,
      rtp_ports: `${rtp}-${rtp + 3}`,
      audio_source: `aufile,${audio}`,
      ausrc_srate: codec === 'g722' ? '16000' : '8000',
      snd_path: directory,
      cons_listen: `127.0.0.1:${keys}`,
      statmode_default: 'off',
      module_path: '/usr/lib/baresip/modules',
    };
    const modules = [`module ${codec}.so`, 'module aufile.so', 'module sndfile.so', 'module cons.so'];
    const lines = [
      ...Object.entries(settings).map(([name, value]) => `${name} ${value}`),
      ...modules,
      'module_tmp account.so',
      'module_app menu.so',
    ];
    writeFileSync(path.join(directory, 'config'), `${lines.join('\n')}\n`);
    const answering = answers ? ';answermode=auto' : '';
    writeFileSync(path.join(directory, 'accounts'), `<sip:${user}@127.0.0.1>;regint=0${answering}\n`);
    writeFileSync(path.join(directory, 'contacts'), '');
    return new Telephone(options, sipPort, keys, dial && `/dial ${dial}`);
  }

  /** When it first printed this text; undefined if it has not. */
  printed(text: string): number | undefined {
    return this.lines.find((line) => line.text.includes(text))?.at;
  }

  async prints(text: string, withinMs: number): Promise<number> {
    for (const until = performance.now() + withinMs; performance.now() < until; await sleep(20)) {
      const at = this.printed(text);
      if (at !== undefined) return at;
    }
    throw new Error(`${this.options.user} did not print "${text}":\n${this.output.slice(-1_500)}`);
  }

  get output(): string {
    return this.lines.map(({ text }) => text).join('');
  }

  async press(keys: string): Promise<void> {
    for (const key of keys) {
      this.send(key);
      await sleep(160);
      this.send(keyReleased);
      await sleep(160);
    }
  }

  pickUp(): void {
    this.send('a');
  }

  hangUp(): void {
    this.send('b');
  }

  stop(): void {
    this.kill();
  }

  /** The audio that it received, from the first packet on. */
  heard(): Sound {
    const { directory } = this.options;
    const name = readdirSync(directory).find((file) => file.endsWith('-dec.wav'));
    if (name === undefined) return { rate: 8_000, samples: new Int16Array(0) };
    return readWav(path.join(directory, name));
  }

  private send(text: string): void {
    const socket = createSocket('udp4');
    socket.send(text, this.keys, '127.0.0.1', () => socket.close());
  }
}
