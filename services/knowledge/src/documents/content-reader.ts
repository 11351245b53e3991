import { fork, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentAnswer, ContentMessage } from './content-process';
import type { Fetched } from './fetch-document';

/** The compiled script of the reader process, even if this file runs from its TypeScript source. */
const file = join(__dirname, '../../dist/documents/content-process.js');

/** Limits for reading a document's content. A book of 500 pages takes a few seconds and 200 MB. */
export const contentBounds = { timeoutMs: 30_000, heapMb: 256, memoryMb: 512 } as const;
const lookEveryMs = 50;

const failed = (detail: string): ContentAnswer => ({ failure: { code: 'not_readable', detail } });

export type ContentReader = (question: Fetched, signal?: AbortSignal) => Promise<ContentAnswer>;

/**
 * Reads a document's content in a separate process. That process has no environment variables, cannot write files or start programs, and is killed if it takes
 * too long or too much memory, so that malicious content affects only its own document. The content is passed on part by part. Rejects only if a part cannot be read.
 */
export const readInProcess: ContentReader = async ({ mediaType, content }, signal) => {
  const child = fork(file, [], {
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [`--max-old-space-size=${contentBounds.heapMb}`, '--permission', '--allow-fs-read=*'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  let answer: ContentAnswer = failed('its reader ended without a result');
  const timer = setTimeout(() => {
    answer = failed(`it takes longer than ${contentBounds.timeoutMs / 1000} s to read`);
    kill();
  }, contentBounds.timeoutMs);
  const look = setInterval(() => {
    readMemory(child).then((bytes) => {
      if (bytes <= contentBounds.memoryMb * 1024 * 1024) return;
      answer = failed(`it takes more than ${contentBounds.memoryMb} MB to read`);
      kill();
    }, kill);
  }, lookEveryMs);
  signal?.addEventListener('abort', kill, { once: true });
  try {
    const ended = new Promise<void>((resolve) => {
      child.once('message', (given: ContentAnswer) => (answer = given));
      child.once('error', () => resolve());
      child.once('exit', () => resolve());
    });
    // A process that has ended takes nothing more; why it did is the answer.
    const send = (message: ContentMessage) => new Promise<void>((resolve) => child.send(message, () => resolve()));
    for await (const part of content) await send({ part });
    await send({ mediaType });
    await ended;
    return answer;
  } catch (error) {
    kill();
    throw error;
  } finally {
    clearTimeout(timer);
    clearInterval(look);
    signal?.removeEventListener('abort', kill);
  }
};

/** The resident memory in bytes on Linux. Elsewhere 0, so that only the heap is limited. */
async function readMemory({ pid }: ChildProcess): Promise<number> {
  const pages = await readFile(`/proc/${pid ?? 0}/statm`, 'utf8').catch(() => '');
  return Number(pages.split(' ')[1] ?? 0) * 4096;
}
