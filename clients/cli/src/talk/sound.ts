/** The microphone and the loudspeaker of this machine, through sox: signed 16 bits, 16,000 samples a second, one channel. */
import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.js';

const format = ['-q', '-t', 'raw', '-e', 'signed-integer', '-b', '16', '-L', '-r', '16000', '-c', '1', '-'];
const samplesPerMs = 16;

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** @throws Failure that names the missing programs and an alternative */
export function requireSound(otherwise: string): void {
  const missing = ['rec', 'play'].filter((program) => !isInstalled(program));
  if (missing.length > 0)
    throw new Failure(
      'usage',
      `${missing.join(' and ')} of sox ${missing.length === 1 ? 'is' : 'are'} not on the PATH: install sox (apt install sox, brew install sox), or talk in a browser: ${otherwise}`,
    );
}

/** In a separate process group, because Ctrl-C in the terminal is meant for the call, which then ends the programs. */
const start = (program: string): ChildProcess =>
  spawn(program, format, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });

export interface Microphone {
  close(): void;
}

/** @param onEnd called with the reason if the program ends by itself */
export function openMicrophone(onSound: (samples: Int16Array) => void, onEnd: (why: string) => void): Microphone {
  const recorder = start('rec');
  let isOpen = true;
  let rest = Buffer.alloc(0);
  let said = '';
  const end = (why: string): void => {
    if (isOpen) onEnd(why);
    isOpen = false;
  };
  recorder.stdin?.on('error', () => undefined);
  recorder.stderr?.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-500)));
  recorder.stdout?.on('data', (chunk: Buffer) => {
    if (!isOpen) return;
    rest = Buffer.concat([rest, chunk]);
    const whole = rest.subarray(0, rest.length - (rest.length % 2));
    rest = rest.subarray(whole.length);
    // Messages of 100 ms; the maximum is one second.
    for (let at = 0; at < whole.length; at += 3_200) onSound(samplesOf(whole.subarray(at, at + 3_200)));
  });
  recorder.on('error', (error) => end(error.message));
  recorder.on('close', (code) => end(`rec ended with ${code}: ${said.trim()}`));
  return {
    close() {
      isOpen = false;
      recorder.kill('SIGTERM');
    },
  };
}

const samplesOf = (bytes: Buffer): Int16Array =>
  Int16Array.from({ length: bytes.length / 2 }, (_, n) => bytes.readInt16LE(2 * n));

export interface Loudspeaker {
  play(samples: Int16Array): void;
  /** Drops audio that has not been played yet. */
  clear(): void;
  /** Resolves when the audio passed so far was played, according to the clock, or was dropped. */
  played(): Promise<void>;
  /** Resolves when the program has played its remaining audio and ended. */
  close(): Promise<void>;
}

/** @param onProblem called with the reason if the program ends by itself */
export function openLoudspeaker(onProblem: (why: string) => void): Loudspeaker {
  let heardUntil = 0;
  let waiting: (() => void)[] = [];
  let current = launch();

  function launch(): ChildProcess {
    const player = start('play');
    let said = '';
    player.stdin?.on('error', () => undefined);
    player.stdout?.resume();
    player.stderr?.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-500)));
    player.on('error', (error) => onProblem(error.message));
    player.on('close', (code) => {
      if (code !== 0 && player === current && !player.killed) onProblem(`play ended with ${code}: ${said.trim()}`);
    });
    return player;
  }
  return {
    play(samples) {
      heardUntil = Math.max(heardUntil, performance.now()) + samples.length / samplesPerMs;
      const bytes = Buffer.alloc(samples.length * 2);
      samples.forEach((sample, n) => bytes.writeInt16LE(sample, 2 * n));
      current.stdin?.write(bytes);
    },
    clear() {
      // Killing the program also drops the audio in its pipe and in its own buffer.
      const earlier = current;
      current = launch();
      earlier.kill('SIGKILL');
      heardUntil = 0;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    played: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        setTimeout(resolve, Math.max(0, heardUntil - performance.now())).unref();
      }),
    close: () =>
      new Promise((resolve) => {
        if (current.exitCode !== null || current.signalCode !== null || current.pid === undefined) return resolve();
        current.once('close', () => resolve());
        current.stdin?.end();
        setTimeout(() => current.kill('SIGKILL'), 3_000).unref();
      }),
  };
}
