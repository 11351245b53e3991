import { writeFile } from 'node:fs/promises';
import { silence } from './mulaw.mts';

const partBytes = 1024 * 1024;
/** How long one side waits for the other before that is padded with silence. Marks arrive every 100 ms, and none while nothing is played. */
const longestWait = 400 * 8;

/** Audio of one side that waits for the other. */
class Side {
  private chunks: Uint8Array[] = [];
  private offset = 0;
  length = 0;

  push(audio: Uint8Array): void {
    this.chunks.push(audio);
    this.length += audio.length;
  }

  /** Writes `count` samples into every second byte of `target`, padded with silence. */
  shift(count: number, target: Uint8Array, at: number): void {
    let place = at;
    for (let left = count; left > 0;) {
      const [chunk] = this.chunks;
      const taken = chunk === undefined ? left : Math.min(left, chunk.length - this.offset);
      for (let n = 0; n < taken; n += 1, place += 2)
        target[place] = chunk === undefined ? silence : (chunk[this.offset + n] as number);
      left -= taken;
      if (chunk === undefined) return;
      this.length -= taken;
      this.offset += taken;
      if (this.offset < chunk.length) continue;
      this.chunks.shift();
      this.offset = 0;
    }
  }
}

/** Records both directions of a call as stereo mu-law: the caller as received, the agent as played. Written in parts of 1 MiB, each as soon as it is full. */
export class Recorder {
  written = 0;
  private readonly caller = new Side();
  private readonly agent = new Side();
  private readonly file: string;
  private part = Buffer.alloc(partBytes);
  private filled = 0;
  private parts = 0;
  private writing: Promise<void> = Promise.resolve();

  /** @param file the prefix of the parts' file names */
  constructor(file: string) {
    this.file = file;
  }

  heard(audio: Uint8Array): void {
    this.caller.push(audio);
    this.interleave();
  }

  played(audio: Uint8Array): void {
    this.agent.push(audio);
    this.interleave();
  }

  /** Writes the last part. */
  async end(): Promise<void> {
    this.writePart();
    await this.writing;
  }

  private interleave(): void {
    const both = Math.min(this.caller.length, this.agent.length);
    const either = Math.max(this.caller.length, this.agent.length);
    for (let left = Math.max(both, either - longestWait); left > 0;) {
      const count = Math.min(left, (partBytes - this.filled) / 2);
      this.caller.shift(count, this.part, this.filled);
      this.agent.shift(count, this.part, this.filled + 1);
      this.filled += 2 * count;
      left -= count;
      if (this.filled === partBytes) this.writePart();
    }
  }

  private writePart(): void {
    if (this.filled === 0) return;
    const bytes = this.part.subarray(0, this.filled);
    const name = `${this.file}.${this.parts}`;
    this.parts += 1;
    this.part = Buffer.alloc(partBytes);
    this.filled = 0;
    // One part after another, so that a slow disk keeps at most two parts of a call in memory.
    this.writing = this.writing
      .then(() => writeFile(name, bytes))
      .then(() => {
        this.written += bytes.length;
      });
    this.writing.catch((error: unknown) => console.error('a recording could not be written', error));
  }
}
