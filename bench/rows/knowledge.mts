/** Queries to a knowledge base of 10,000 passages over REST, compared with a read of the knowledge base, which does everything except the search. */
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../load.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import type { BenchRow } from '../row.mts';

const documents = 100;
const paragraphsOfDocument = 100;
const wordsOfParagraph = 250;
const vocabulary = 30_000;
const questions = 300;
const boundMs = 50;

/** The documents and questions are the same in each run. */
let state = 7;
const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
/** Words have frequencies as in a language: the n-th most frequent word occurs 1/n times as often as the first (Zipf). */
export const rank = (): number => Math.min(vocabulary, Math.floor(vocabulary ** random()));
const letters = 'bcdfghjklmnprstvwz';
const wordOf = (n: number): string => {
  let word = '';
  for (let rest = n; rest > 0; rest = Math.floor(rest / 90))
    word += `${letters[rest % 18] ?? ''}${'aeiou'[Math.floor(rest / 18) % 5] ?? ''}`;
  return `${word}q`;
};
export const text = (words: number, next: () => number): string =>
  Array.from({ length: words }, () => wordOf(next())).join(' ');

export const kinds: Readonly<Record<string, () => string>> = {
  'eight words as they come': () => text(8, rank),
  'the eight most frequent words': () => Array.from({ length: 8 }, (_, n) => wordOf(n + 1)).join(' '),
  'eight rare words': () => text(8, () => 5_000 + Math.floor(random() * 20_000)),
  'forty words as they come': () => text(40, rank),
};

async function send(
  platform: BenchPlatform,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${platform.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${platform.development.admin_key}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/**
 * Creates a knowledge base and waits until all documents are ready. @returns its path, the number of chunks, and the seconds from the first document to the
 * last
 */
async function fill(platform: BenchPlatform): Promise<{ path: string; pieces: number; seconds: number }> {
  const { organization_id, project_id } = platform.development;
  const base = await send(platform, 'POST', '/v1/knowledge-bases', { organization_id, project_id, name: 'bench' });
  const path = `/v1/knowledge-bases/${String(base.knowledge_base_id)}`;
  const begun = performance.now();
  const ids: string[] = [];
  for (let n = 0; n < documents; n += 1) {
    const paragraphs = Array.from({ length: paragraphsOfDocument }, () => text(wordsOfParagraph, rank));
    const made = await send(platform, 'POST', `${path}/documents`, {
      name: `document ${n}`,
      text: paragraphs.join('\n\n'),
    });
    ids.push(String(made.document_id));
  }
  let pieces = 0;
  for (const id of ids) {
    for (;;) {
      const one = await send(platform, 'GET', `/v1/knowledge-documents/${id}`);
      if (one.status === 'failed') throw new Error(JSON.stringify(one.failure));
      pieces += Number(one.chunks);
      if (one.status === 'ready') break;
      await pause(200);
    }
  }
  return { path, pieces, seconds: (performance.now() - begun) / 1000 };
}

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await ask();
  return performance.now() - begun;
}

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;
export const tenth = (value: number): number => Math.round(value * 10) / 10;

export const bench: BenchRow = {
  title: 'knowledge',
  async run() {
    const home = newHome();
    const platform = await startPlatform(home);
    try {
      const { path, pieces, seconds } = await fill(platform);
      const rows = [];
      for (const [kind, question] of Object.entries(kinds)) {
        const reads: number[] = [];
        const asked: number[] = [];
        for (let n = 0; n < questions; n += 1) {
          const body = { text: question() };
          reads.push(await timed(() => send(platform, 'GET', path)));
          asked.push(await timed(() => send(platform, 'POST', `${path}/query`, body)));
        }
        const p95 = percentile(asked, 0.95);
        rows.push({
          question: kind,
          'p50 ms': tenth(median(asked)),
          'p95 ms': tenth(p95),
          'a read p50 ms': tenth(median(reads)),
          [`under ${boundMs} ms`]: p95 < boundMs ? 'yes' : 'no',
        });
      }
      const filled = [{ documents, pieces, seconds: tenth(seconds), 'chunks a second': Math.round(pieces / seconds) }];
      return [
        { title: `${questions} questions of each kind to ${pieces} chunks, one after the other`, rows },
        { title: 'documents from their request to ready, one replica', rows: filled },
      ];
    } finally {
      await platform.stop();
      forgetHome(home);
    }
  },
};
