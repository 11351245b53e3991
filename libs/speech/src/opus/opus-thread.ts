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

/** A file that is written piece by piece; it is the concatenation of the returned buffers. */
export interface OpusFile {
  write(sound: Buffer): Promise<Buffer>;
  end(): Promise<Buffer>;
  /** Discards the file. */
  drop(): Promise<void>;
}

/** The path of the compiled worker. In tests the sources run uncompiled, but a worker thread needs compiled code. */
const workerFile = path.join(__dirname, '../../dist/opus/opus-worker.js');

/**
 * A thread that converts mu-law with two channels of 8,000 samples per second to Ogg Opus files and back. It starts at the first request and runs at low
 * priority. If it ends unexpectedly, pending requests fail, and the next request starts a new thread.
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
   * Reads bytes of a file as mu-law WAVE from an offset: at least one byte and at most `most`. A byte is the same, whichever range it is read with.
   * @param durationSamples samples per channel
   * @param read returns bytes of the file from an offset (inclusive) to another (exclusive)
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
