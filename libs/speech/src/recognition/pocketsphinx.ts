import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { bytesOf } from '../formats/wave';

export interface PocketsphinxOptions {
  /** Called with the words of an utterance in lower case, in order. Utterances without words are not reported. */
  readonly onFinal: (text: string) => void;
  /** Called once when the program ends; with an error unless `close` was called before. */
  readonly onEnd: (error: Error | undefined) => void;
  /** The path of a JSGF grammar. If set, only its sentences are recognized, which makes narrow-band audio usable. Default: English dictation. */
  readonly grammar?: string;
  /** The program to run. Default: `pocketsphinx_continuous` in the PATH. */
  readonly program?: string;
}

/** The sample rate that the recognizer expects. */
export const recognitionSampleRate = 16_000;

/** Silence that ends an utterance: the program reads 2,048 samples at a time and ends an utterance after half a second of silence. */
const silence = Buffer.alloc(2 * 2_048 * 6);

/**
 * Offline speech recognition in American English: one process of pocketsphinx per audio stream (Debian packages `pocketsphinx` and `pocketsphinx-en-us`). It
 * needs about 100 MB of memory and, during speech, a third of a core. It reports no partial results.
 */
export class Pocketsphinx {
  private readonly child: ChildProcessByStdio<import('node:stream').Writable, Readable, null>;
  private rest = '';
  private closed = false;
  private ended = false;

  /** Whether the program and its English model are installed. */
  static isAvailable(program = 'pocketsphinx_continuous'): boolean {
    // Without arguments, the program prints its usage and fails; if it is missing, it cannot be started at all.
    return spawnSync(program, [], { stdio: 'ignore', timeout: 10_000 }).error === undefined;
  }

  constructor(private readonly options: PocketsphinxOptions) {
    const { program = 'pocketsphinx_continuous', grammar } = options;
    const args = ['-infile', '/dev/stdin', '-logfn', '/dev/null', ...(grammar === undefined ? [] : ['-jsgf', grammar])];
    // Node passes a socket as standard input, which the program cannot open as a file; `cat` turns it into a pipe.
    this.child = spawn('/bin/sh', ['-c', 'command -v "$0" >&2 || exit 127; cat | exec "$0" "$@"', program, ...args], {
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => this.take(text));
    // Ignores errors of writes after the program has ended; its end is reported by other events.
    this.child.stdin.on('error', () => {});
    this.child.on('error', (error) => this.end(error));
    this.child.on('close', (code) =>
      this.end(this.closed ? undefined : new Error(`pocketsphinx ended with code ${code}`)),
    );
  }

  /** Adds audio at `recognitionSampleRate`, in chunks of any size. Silence must be included, because it separates utterances. */
  hear(samples: Int16Array): void {
    this.write(bytesOf(samples));
  }

  /** Called when the speaker has finished: reports the utterance without waiting for half a second of silence. */
  finishUtterance(): void {
    this.write(silence);
  }

  /** Ends the program. Results that were not reported yet are discarded. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.child.stdin.end();
    // The shell leads a process group, which includes the recognizer.
    if (this.child.pid !== undefined && !this.ended) process.kill(-this.child.pid, 'SIGKILL');
  }

  private write(bytes: Buffer): void {
    if (!this.closed && !this.ended) this.child.stdin.write(bytes);
  }

  private take(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    if (this.closed) return;
    for (const line of lines) if (line.trim() !== '') this.options.onFinal(line.trim());
  }

  private end(error: Error | undefined): void {
    if (this.ended) return;
    this.ended = true;
    this.options.onEnd(error);
  }
}
