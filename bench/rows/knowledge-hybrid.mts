/**
 * Questions to a knowledge base of 10,000 passages by words and by meaning, without gateway and without the embeddings server, whose time is its own. The
 * database is the one of VECTOR_DATABASE_URL (an administrator's URL of a PostgreSQL with pgvector), by default one that is compiled to WebAssembly. Also how
 * many of the ten nearest passages are among those whose signs are compared first.
 */
import path from 'node:path';
import { vectorDatabase } from '../../libs/testing/dist/vector-database.js';
import { insertChunks } from '../../services/knowledge/dist/documents/processing.sql.js';
import { signsOf } from '../../services/knowledge/dist/embeddings/index.js';
import { putVectors } from '../../services/knowledge/dist/embeddings/embeddings.sql.js';
import { askBases } from '../../services/knowledge/dist/search/index.js';
import { searchVectors } from '../../services/knowledge/dist/search/vectors.sql.js';
import { median } from '../load.mts';
import type { BenchRow } from '../row.mts';
import { kinds, percentile, rank, tenth, text } from './knowledge.mts';

const documents = 100;
const piecesOfDocument = 100;
const wordsOfPiece = 250;
const dimensions = 1_536;
/** Vectors of texts fill a small part of their space: theirs is spanned by so many directions. */
const directions = 48;
const questions = 100;
const nearest = 10;
const boundMs = 50;
const organizationId = 'org_00000000000000000000000001';
const baseId = 'kb_00000000000000000000000001';

let state = 11;
const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
const gaussian = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
const axes = Array.from({ length: directions }, () => Float32Array.from({ length: dimensions }, gaussian));

function vectorOf(place: readonly number[]): number[] {
  const vector = new Float32Array(dimensions);
  axes.forEach((axis, n) => {
    for (let d = 0; d < dimensions; d += 1) vector[d] = (vector[d] ?? 0) + (axis[d] ?? 0) * (place[n] ?? 0);
  });
  const length = Math.hypot(...vector);
  return Array.from(vector, (value) => value / length);
}
const place = (): number[] => Array.from({ length: directions }, gaussian);
const similarity = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, d) => sum + value * (b[d] ?? 0), 0);

const documentId = (n: number): string => `doc_${String(n).padStart(26, '0')}`;

export const bench: BenchRow = {
  title: 'knowledge-hybrid',
  async run() {
    const migrations = path.resolve(import.meta.dirname, '../../services/knowledge/migrations');
    const { db, drop } = await vectorDatabase({ migrations, schema: 'knowledge' });
    try {
      await db.query({
        text: `insert into knowledge_bases (organization_id, knowledge_base_id, project_id, name, language, config, revision,
                 created_at, updated_at, embedding_credential, embedding_provider, embedding_model, embedding_dimensions, embedding_set)
               values ($1, $2, 'prj', 'bench', 'en', 'english', 1, now(), now(), 'cred', 'openai_compatible', 'stand-in', $3, 1)`,
        values: [organizationId, baseId, dimensions],
      });
      const vectors: { readonly key: string; readonly vector: readonly number[] }[] = [];
      for (let n = 0; n < documents; n += 1) {
        const document = { document_id: documentId(n), knowledge_base_id: baseId, config: 'english' };
        await db.query({
          text: `insert into documents (organization_id, document_id, knowledge_base_id, name, status, chunks, embedding_position,
                   embedded_chunks, created_at, updated_at) values ($1, $2, $3, 'document', 'ready', $4, $4, $4, now(), now())`,
          values: [organizationId, document.document_id, baseId, piecesOfDocument],
        });
        const pieces = Array.from({ length: piecesOfDocument }, () => text(wordsOfPiece, rank));
        await insertChunks(db, organizationId, document, 0, pieces);
        const made = pieces.map((_, position) => ({ position, vector: vectorOf(place()) }));
        const stored = made.map((one) => ({ ...one, signs: signsOf(one.vector) }));
        await putVectors(db, organizationId, document.document_id, 1, stored);
        for (const { position, vector } of made) vectors.push({ key: `${document.document_id} ${position}`, vector });
      }
      await db.query({ text: 'analyze' });
      const rows = [];
      for (const [kind, question] of Object.entries(kinds)) {
        const asked: number[] = [];
        for (let n = 0; n < questions; n += 1) {
          const vector = vectorOf(place());
          const embedder = { embed: async () => [vector] };
          const begun = performance.now();
          const parts = { db, embedder, questionMs: 60_000, asked: () => undefined };
          await askBases(parts, organizationId, [baseId], question(), 5);
          asked.push(performance.now() - begun);
        }
        const p95 = percentile(asked, 0.95);
        const under = { [`under ${boundMs} ms`]: p95 < boundMs ? 'yes' : 'no' };
        rows.push({ question: kind, 'p50 ms': tenth(median(asked)), 'p95 ms': tenth(p95), ...under });
      }
      const [{ schema } = { schema: '' }] = (
        await db.query<{ schema: string }>({
          text: `select quote_ident(nspname) as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'vector'`,
        })
      ).rows;
      let kept = 0;
      for (let n = 0; n < questions; n += 1) {
        const vector = vectorOf(place());
        const near = { knowledgeBaseIds: [baseId], vector, signs: signsOf(vector), limit: nearest };
        const found = new Set(
          (await searchVectors(db, organizationId, schema, near)).map((one) => `${one.document_id} ${one.position}`),
        );
        const exact = vectors
          .map((one) => ({ key: one.key, similarity: similarity(one.vector, vector) }))
          .sort((a, b) => b.similarity - a.similarity)
          .slice(0, nearest);
        kept += exact.filter(({ key }) => found.has(key)).length;
      }
      const recall = [{ questions, nearest, found: `${tenth((100 * kept) / (questions * nearest))} %` }];
      const pieces = documents * piecesOfDocument;
      return [
        {
          title: `${questions} questions of each kind to ${pieces} chunks with vectors of ${dimensions} dimensions, ${process.env.VECTOR_DATABASE_URL === undefined ? 'WebAssembly' : 'native'}`,
          rows,
        },
        { title: 'of the nearest chunks by an exact comparison, those that the signs let pass', rows: recall },
      ];
    } finally {
      await drop();
    }
  },
};
