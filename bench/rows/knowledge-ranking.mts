/**
 * How often questions find the chunk that some of their words are from, first and among the first five, compared with a ranking that reads all words, and how
 * many of the nearest vectors are among those whose signs are compared first. Without clocks: the same in each run. The database is that of VECTOR_DATABASE_URL
 * (an administrator's URL of a PostgreSQL with pgvector), by default one that is compiled to WebAssembly and much slower.
 */
import path from 'node:path';
import { vectorDatabase } from '../../libs/testing/dist/vector-database.js';
import { insertChunks } from '../../services/knowledge/dist/documents/processing.sql.js';
import { putVectors } from '../../services/knowledge/dist/embeddings/embeddings.sql.js';
import { signsOf } from '../../services/knowledge/dist/embeddings/index.js';
import { searchChunks } from '../../services/knowledge/dist/search/search.sql.js';
import { searchVectors } from '../../services/knowledge/dist/search/vectors.sql.js';
import { exactRanking } from '../knowledge/exact-ranking.mts';
import { randomNumbers, Texts, wordOf } from '../knowledge/texts.mts';
import { dimensions, vectorOf } from '../knowledge/vectors.mts';
import type { BenchRow } from '../row.mts';

const organizationId = 'org_00000000000000000000000001';
const pieces = 10_000;
const wordsOfPiece = 250;
/** Chunks of a document. */
const shapes = [10, 100];
const questions = 100;
const nearest = 10;

type Db = Awaited<ReturnType<typeof vectorDatabase>>['db'];

const kinds: Readonly<Record<string, (texts: Texts, own: string) => string>> = {
  'a frequent word': (texts) => wordOf(1 + Math.floor(texts.random() * 50)),
  '5 to 15 words, half of them of the chunk': (texts, own) => {
    const count = 5 + Math.floor(texts.random() * 11);
    return texts.about(own, count, Math.round(count / 2));
  },
  '40 words, 8 of the chunk': (texts, own) => texts.about(own, 40, 8),
  '1,000 characters, 20 words of the chunk': (texts, own) => long(texts, own, 20),
  '1,000 characters, 10 words of the chunk': (texts, own) => long(texts, own, 10),
};

function long(texts: Texts, text: string, own: number): string {
  for (let count = 180; ; count -= 5) {
    const question = texts.about(text, count, own);
    if (question.length <= 1_000) return question;
  }
}

const baseOf = (n: number): string => `kb_${String(n).padStart(26, '0')}`;
const documentOf = (base: number, n: number): string => `doc_${String(base * 10_000 + n).padStart(26, '0')}`;

/** @returns the text of each chunk by its key */
async function fill(db: Db, base: number, chunks: number): Promise<Map<string, string>> {
  const texts = new Texts(randomNumbers(base));
  const held = new Map<string, string>();
  await db.query({
    text: `insert into knowledge_bases (organization_id, knowledge_base_id, project_id, name, language, config, revision, created_at, updated_at,
             embedding_credential, embedding_provider, embedding_model, embedding_dimensions, embedding_set)
           values ($1, $2, 'prj', 'bench', 'en', 'english', 1, now(), now(), 'cred', 'openai_compatible', 'bench', $3, 1)`,
    values: [organizationId, baseOf(base), dimensions],
  });
  for (let n = 0; n < pieces / chunks; n += 1) {
    const document = { document_id: documentOf(base, n), knowledge_base_id: baseOf(base), config: 'english' };
    await db.query({
      text: `insert into documents (organization_id, document_id, knowledge_base_id, name, status, chunks, embedding_position,
               embedded_chunks, created_at, updated_at) values ($1, $2, $3, 'document', 'ready', $4, $4, $4, now(), now())`,
      values: [organizationId, document.document_id, baseOf(base), chunks],
    });
    const made = Array.from({ length: chunks }, () => texts.text(wordsOfPiece));
    await insertChunks(db, organizationId, document, 0, made);
    for (const [position, text] of made.entries()) held.set(`${document.document_id} ${position}`, text);
  }
  await db.query({ text: 'analyze documents, postings, chunks' });
  return held;
}

const share = (places: readonly number[], first: number): string =>
  `${Math.round((100 * places.filter((place) => place >= 0 && place < first).length) / places.length)} %`;

async function rankWords(db: Db, base: number, held: ReadonlyMap<string, string>): Promise<object[]> {
  const keys = [...held.keys()];
  const rows = [];
  for (const [kind, question] of Object.entries(kinds)) {
    const texts = new Texts(randomNumbers(99));
    const places = { found: [] as number[], exact: [] as number[] };
    let same = 0;
    for (let n = 0; n < questions; n += 1) {
      const target = keys[(n * 7_919) % keys.length] ?? '';
      const text = question(texts, held.get(target) ?? '');
      const exact = await exactRanking(db, organizationId, baseOf(base), text);
      const found = (await searchChunks(db, organizationId, [baseOf(base)], text, 5)).map(
        ({ document_id, position }) => `${document_id} ${position}`,
      );
      // A word alone has no chunk that it is from: the best one by its weight is to be found.
      const wanted = text.includes(' ') ? target : (exact[0] ?? '');
      places.found.push(found.indexOf(wanted));
      places.exact.push(exact.indexOf(wanted));
      same += exact.slice(0, 3).filter((key) => found.slice(0, 3).includes(key)).length;
    }
    rows.push({
      question: kind,
      first: share(places.found, 1),
      'first, all words': share(places.exact, 1),
      'in five': share(places.found, 5),
      'in five, all words': share(places.exact, 5),
      'of the best three by all words': `${Math.round((100 * same) / questions / 3)} %`,
    });
  }
  return rows;
}

async function recallOfSigns(db: Db, base: number, keys: readonly string[]): Promise<object> {
  const random = randomNumbers(12);
  const vectors = new Map<string, readonly number[]>();
  for (const key of keys) {
    const [document = '', position = ''] = key.split(' ');
    const vector = vectorOf(random);
    await putVectors(db, organizationId, document, 1, [{ position: Number(position), vector, signs: signsOf(vector) }]);
    vectors.set(key, vector);
  }
  await db.query({ text: 'analyze embeddings' });
  const statement = `select quote_ident(nspname) as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'vector'`;
  const [{ schema } = { schema: '' }] = (await db.query<{ schema: string }>({ text: statement })).rows;
  let kept = 0;
  for (let n = 0; n < questions; n += 1) {
    const vector = vectorOf(random);
    const near = { knowledgeBaseIds: [baseOf(base)], vector, signs: signsOf(vector), limit: nearest };
    const hits = await searchVectors(db, organizationId, schema, near);
    const found = new Set(hits.map(({ document_id, position }) => `${document_id} ${position}`));
    const similarity = (other: readonly number[]): number => other.reduce((sum, v, d) => sum + v * (vector[d] ?? 0), 0);
    const exact = [...vectors]
      .map(([key, other]) => ({ key, near: similarity(other) }))
      .sort((a, b) => b.near - a.near);
    kept += exact.slice(0, nearest).filter(({ key }) => found.has(key)).length;
  }
  return { questions, nearest, found: `${Math.round((1_000 * kept) / (questions * nearest)) / 10} %` };
}

export const bench: BenchRow = {
  title: 'knowledge-ranking',
  async run() {
    const schemaFile = path.resolve(import.meta.dirname, '../../services/knowledge/schema.sql');
    const { db, drop } = await vectorDatabase({ schemaFile, schema: 'knowledge' });
    try {
      const tables = [];
      for (const [index, chunks] of shapes.entries()) {
        const base = index + 1;
        const held = await fill(db, base, chunks);
        tables.push({ title: `documents of ${chunks} chunks`, rows: await rankWords(db, base, held) });
        if (base < shapes.length) continue;
        const recall = await recallOfSigns(db, base, [...held.keys()]);
        tables.push({
          title: 'of the nearest chunks by an exact comparison, those that the signs let pass',
          rows: [recall],
        });
      }
      return tables;
    } finally {
      await drop();
    }
  },
};
