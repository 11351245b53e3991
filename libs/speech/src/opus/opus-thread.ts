import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { muLawWaveHeader, muLawWaveHeaderBytes } from '../formats/mu-law-wave';
import { blockAt, blockBytes, channels, sampleRate } from './opus-layout';

type Work =
  | { readonly kind: 'write'; readonly file: number; readonly sound: Uint8Array }
  | { readonly kind: 'end' | 'drop'; readonly file: number }
  | { readonly kind: 'decode'; readonly pages: Uint8Array; readonly skip: number; readonly samples: number };

export type OpusJob = Work & { readonly id: number };

export type OpusAnswer = { readonly id: number } & ({ readonly bytes: Uint8Array } | { readonly failure: string });

interface Waiting {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** A file that is written piece by piece; what is answered, in its order, is the file. */
export interface OpusFile {
  write(sound: Buffer): Promise<Buffer>;
  end(): Promise<Buffer>;
  /** Gives it up. */
  drop(): Promise<void>;
}

/** The sources run compiled or, in tests, as they are; a worker thread runs compiled code alone. */
const workerFile = path.join(__dirname, '../../dist/opus/opus-worker.js');

/**
 * A thread that makes Ogg Opus files of mu-law in two channels of 8,000 samples a second, and mu-law of such files; it starts when it is first needed, and runs at low priority. One that
 * ends before it has answered fails what it was asked for, and is followed by another.
 */
export class OpusThread {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;

  file(): OpusFile {
    const file = (this.next += 1);
    return {
      write: (sound) => this.run({ kind: 'write', file, sound }),
      end: () => this.run({ kind: 'end', file }),
      drop: async () => void (await this.run({ kind: 'drop', file })),
    };
  }

  /**
   * Some bytes of a file as WAVE in mu-law, from a place on: at least one and at most so many. Every byte is the same, whatever it is read with.
   * @param durationSamples of each channel
   * @param read bytes of the file, from one place up to and without another
   */
  async readAsWave(
    durationSamples: number,
    { from, most }: { readonly from: number; readonly most: number },
    read: (from: number, to: number) => Promise<Buffer>,
  ): Promise<Buffer> {
    const header = muLawWaveHeader(durationSamples * channels, { channels, sampleRate });
    if (from < header.length) return header.subarray(from, from + most);
    const place = from - muLawWaveHeaderBytes;
    const block = blockAt(Math.floor(place / blockBytes), durationSamples);
    const pages = await read(block.from, block.to);
    const sound = await this.run({ kind: 'decode', pages, skip: block.skip, samples: block.samples });
    return sound.subarray(place % blockBytes, (place % blockBytes) + most);
  }

  async stop(): Promise<void> {
    await this.worker?.terminate();
  }

  private run(work: Work): Promise<Buffer> {
    const id = (this.next += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker ??= this.start();
      this.worker.postMessage({ ...work, id } satisfies OpusJob);
    });
  }

  private start(): Worker {
    const worker = new Worker(workerFile);
    worker.unref();
    worker.on('message', (answer: OpusAnswer) => {
      const asked = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if ('failure' in answer) asked?.reject(new Error(answer.failure));
      else asked?.resolve(Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength));
    });
    const ended = (error: Error): void => {
      if (this.worker === worker) this.worker = undefined;
      const asked = [...this.waiting.values()];
      this.waiting.clear();
      for (const { reject } of asked) reject(error);
    };
    worker.on('error', ended);
    worker.on('exit', (code) => ended(new Error(`the thread that encodes recordings ended with code ${code}`)));
    return worker;
  }
}
