/**
 * Questions to a knowledge base of 10,000 chunks with the key of a tenant over REST, by words and by words and meaning, compared with a read of the knowledge
 * base, which does everything except the search. Embeddings need a PostgreSQL with pgvector: VECTOR_DATABASE_URL, an administrator's URL of one. Without it the
 * platform's own PostgreSQL is used, and only words are measured.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../load.mts';
import { startEmbeddings } from '../knowledge/embeddings-server.mts';
import { randomNumbers, Texts, wordOf } from '../knowledge/texts.mts';
import { vectorDatabase } from '../knowledge/vector-database.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import type { BenchRow, Table } from '../row.mts';

const documents = 100;
const paragraphsOfDocument = 100;
const wordsOfParagraph = 250;
const questions = 200;
const boundMs = 50;

const texts = new Texts(randomNumbers(7));
const kinds: Readonly<Record<string, () => string>> = {
  'a frequent word': () => wordOf(1 + Math.floor(texts.random() * 50)),
  'eight words as they come': () => texts.text(8),
  'the eight most frequent words': () => texts.text(8, (n) => n + 1),
  'forty words as they come': () => texts.text(40),
  'as many words as fit': () => texts.filling(1_000),
};

type Answer = Readonly<Record<string, unknown>>;

async function send(platform: BenchPlatform, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${platform.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${platform.development.admin_key}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

async function waitForDocument(platform: BenchPlatform, id: string, isDone: (document: Answer) => boolean) {
  for (;;) {
    const document = await send(platform, 'GET', `/v1/knowledge-documents/${id}`);
    if (document.status === 'failed') throw new Error(JSON.stringify(document.failure));
    if (isDone(document)) return document;
    await pause(200);
  }
}

interface FilledBase {
  readonly path: string;
  readonly ids: readonly string[];
  readonly pieces: number;
  /** From the first request until the last document is ready. */
  readonly seconds: number;
}

async function fill(platform: BenchPlatform): Promise<FilledBase> {
  const { organization_id, project_id } = platform.development;
  const base = await send(platform, 'POST', '/v1/knowledge-bases', { organization_id, project_id, name: 'bench' });
  const path = `/v1/knowledge-bases/${String(base.knowledge_base_id)}`;
  const begun = performance.now();
  const ids: string[] = [];
  for (let n = 0; n < documents; n += 1) {
    const paragraphs = Array.from({ length: paragraphsOfDocument }, () => texts.text(wordsOfParagraph));
    const body = { name: `document ${n}`, text: paragraphs.join('\n\n') };
    ids.push(String((await send(platform, 'POST', `${path}/documents`, body)).document_id));
  }
  let pieces = 0;
  for (const id of ids)
    pieces += Number((await waitForDocument(platform, id, ({ status }) => status === 'ready')).chunks);
  return { path, ids, pieces, seconds: (performance.now() - begun) / 1000 };
}

/** @returns the seconds until all chunks have a vector */
async function embed(platform: BenchPlatform, { path, ids }: FilledBase, url: string): Promise<number> {
  const credential = await send(platform, 'POST', '/v1/component-credentials', {
    ...{ organization_id: platform.development.organization_id, kind: 'llm', provider: 'openai_compatible' },
    ...{ name: 'bench', secret: 'sk-bench', base_url: url },
  });
  const begun = performance.now();
  const { component_credential_id } = credential;
  await send(platform, 'PATCH', path, { embeddings: { component_credential_id, model: 'bench' } });
  for (const id of ids) await waitForDocument(platform, id, (one) => one.embedded_chunks === one.chunks);
  return (performance.now() - begun) / 1000;
}

async function timed<T>(work: () => Promise<T>): Promise<[milliseconds: number, result: T]> {
  const begun = performance.now();
  const result = await work();
  return [performance.now() - begun, result];
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;
const tenth = (value: number): number => Math.round(value * 10) / 10;

async function ask(platform: BenchPlatform, path: string, ranking: 'full_text' | 'hybrid'): Promise<object[]> {
  const rows = [];
  for (const [kind, question] of Object.entries(kinds)) {
    const reads: number[] = [];
    const asked: number[] = [];
    for (let n = 0; n < questions; n += 1) {
      const body = { text: question() };
      reads.push((await timed(() => send(platform, 'GET', path)))[0]);
      const [milliseconds, answer] = await timed(() => send(platform, 'POST', `${path}/query`, body));
      if (answer.ranking !== ranking) throw new Error(`not ${ranking}: ${JSON.stringify(answer.embedding_failure)}`);
      asked.push(milliseconds);
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
  return rows;
}

async function measureHybrid(platform: BenchPlatform, base: FilledBase): Promise<Table[]> {
  const server = await startEmbeddings();
  try {
    const seconds = await embed(platform, base, server.url);
    const rows = await ask(platform, base.path, 'hybrid');
    const made = [{ vectors: base.pieces, seconds: tenth(seconds), 'a second': Math.round(base.pieces / seconds) }];
    return [
      {
        title: `${questions} questions of each kind by words and meaning, with the time of the embeddings server`,
        rows,
      },
      { title: 'vectors of an existing base, one replica', rows: made },
    ];
  } finally {
    server.stop();
  }
}

export const bench: BenchRow = {
  title: 'knowledge',
  async run() {
    const database = await vectorDatabase();
    const home = newHome();
    try {
      const platform = await startPlatform(home, 'url' in database ? { DATABASE_URL: database.url } : {});
      try {
        const base = await fill(platform);
        const { pieces, seconds } = base;
        const rows = await ask(platform, base.path, 'full_text');
        const filled = { documents, pieces, seconds: tenth(seconds), 'chunks a second': Math.round(pieces / seconds) };
        return [
          { title: `${questions} questions of each kind by words to ${pieces} chunks, one after the other`, rows },
          { title: 'documents from their request to ready, one replica', rows: [filled] },
          ...('missing' in database
            ? [{ title: 'questions by words and meaning', rows: [{ 'not measured': database.missing }] }]
            : await measureHybrid(platform, base)),
        ];
      } finally {
        await platform.stop();
      }
    } finally {
      forgetHome(home);
      if ('drop' in database) await database.drop();
    }
  },
};
