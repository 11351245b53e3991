import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { decodeOpus, OpusEncoder } from './opus-encoder';
import type { OpusAnswer, OpusJob } from './opus-thread';

/**
 * The priority of this thread, which encodes and decodes recordings. On Linux, id 0 in setPriority means only the calling thread, so the requests of the
 * process are not affected.
 */
const lowPriority = 10;
if (process.platform === 'linux') setPriority(0, lowPriority);

/** The files that are being written, by number. */
const encoders = new Map<number, OpusEncoder>();

parentPort?.on('message', (job: OpusJob) => {
  parentPort?.postMessage(answer(job));
});

function answer(job: OpusJob): OpusAnswer {
  try {
    return { id: job.id, bytes: bytesOf(job) };
  } catch (error) {
    return { id: job.id, failure: error instanceof Error ? error.message : String(error) };
  }
}

function bytesOf(job: OpusJob): Uint8Array {
  if (job.kind === 'decode') return decodeOpus(Buffer.from(job.pages), job.skip, job.samples);
  const encoder = encoders.get(job.file) ?? new OpusEncoder();
  encoders.set(job.file, encoder);
  if (job.kind === 'write') return encoder.write(Buffer.from(job.sound));
  encoders.delete(job.file);
  if (job.kind === 'end') return encoder.end();
  encoder.free();
  return Buffer.alloc(0);
}
