import {
  limits,
  type EmbeddingFailureCode,
  type KnowledgeAnswer,
  type KnowledgeQuestion,
  type KnowledgeRanking,
} from '@parley/contract';
import { forbidden, notFound } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import { ownerOfBase } from '../bases';
import { EmbeddingFailed, signsOf, type Embedder } from '../embeddings';
import { fuseRankings } from './fusion.rules';
import { readHits } from './hits.sql';
import type { KnownSigns } from './known-signs';
import type { Ranked } from './ranked.rules';
import { searchChunks } from './search.sql';
import { candidatesOf, nearestBySigns, packSigns } from './signs.rules';
import {
  compareVectors,
  findAskedBases,
  isEmbedded,
  searchVectors,
  type AskedBase,
  type EmbeddedBase,
} from './vectors.sql';

export interface AskBase {
  readonly organizationId: string;
  readonly knowledgeBaseId: string;
  readonly body: () => KnowledgeQuestion;
}

/** What answering a question needs. */
export interface AskParts {
  readonly db: Queryable;
  /** How long a question waits for its vector. */
  readonly questionMs: number;
  readonly embedder: Pick<Embedder, 'embed'>;
  /** The signs of vectors of knowledge bases that were asked recently. */
  readonly signs: Pick<KnownSigns, 'find' | 'request'>;
  /** Called with the ranking of each answered question, and with the code of a failure if the embeddings server was not used. */
  asked(ranking: KnowledgeRanking, failure: EmbeddingFailureCode | undefined): void;
}

interface EmbeddingFailure {
  readonly code: EmbeddingFailureCode;
  readonly detail: string;
}

/** Number of chunks of each ranking that are merged. */
const depth = 40;

/** POST /v1/knowledge-bases/{knowledge_base_id}/query. */
export async function askBase(parts: AskParts, request: AskBase): Promise<KnowledgeAnswer> {
  const { db } = parts;
  const { knowledgeBaseId } = request;
  const organizationId = await ownerOfBase(db, request.organizationId, knowledgeBaseId);
  const bases = await findAskedBases(db, organizationId, [knowledgeBaseId]);
  const [base] = bases;
  if (base === undefined) throw notFound('knowledge base');
  const { organization_id = organizationId, project_id = base.project_id, text } = request.body();
  if (organization_id !== organizationId) throw forbidden();
  if (project_id !== base.project_id) throw forbidden('project_id is not the project of the knowledge base');
  const { limit = limits.knowledgeHits.default } = request.body();
  return search(parts, organizationId, { bases, text, limit });
}

/**
 * Returns the chunks of several knowledge bases that match a query by their words, and by their meaning where the knowledge base has embeddings. If the
 * embeddings server fails or takes too long, words alone count, and the answer says why. Deleted knowledge bases and those of other organizations are ignored.
 */
export async function askBases(
  parts: AskParts,
  organizationId: string,
  knowledgeBaseIds: readonly string[],
  text: string,
  limit: number,
): Promise<KnowledgeAnswer> {
  const bases = await findAskedBases(parts.db, organizationId, knowledgeBaseIds);
  return search(parts, organizationId, { bases, text, limit });
}

interface Search {
  readonly bases: readonly AskedBase[];
  readonly text: string;
  readonly limit: number;
}

async function search(
  parts: AskParts,
  organizationId: string,
  { bases, text, limit }: Search,
): Promise<KnowledgeAnswer> {
  const { db, asked } = parts;
  const embedded = bases.filter(isEmbedded);
  const withVectors = embedded.length > 0;
  const wanted = withVectors ? depth : limit;
  const knowledgeBaseIds = bases.map(({ knowledge_base_id }) => knowledge_base_id);
  const byWords = searchChunks(db, organizationId, knowledgeBaseIds, text, wanted, { withVectors });
  const byMeaning = groupsOf(embedded).map((group) => searchMeaning(parts, organizationId, group, text));
  const [words, ...meanings] = await Promise.all([byWords, ...byMeaning]);
  const near = meanings.flatMap((one) => (Array.isArray(one) ? [one] : []));
  const failure = meanings.find((one): one is EmbeddingFailure => !Array.isArray(one)) ?? null;
  const ranking = near.length > 0 ? 'hybrid' : 'full_text';
  const found = near.length > 0 ? fuseRankings([words, ...near], limit) : words.slice(0, limit);
  const data = await readHits(db, organizationId, found);
  asked(ranking, failure?.code);
  return { data, ranking, embedding_failure: failure };
}

/** Knowledge bases that a single vector of a question can be compared with. */
function groupsOf(bases: readonly EmbeddedBase[]): readonly [EmbeddedBase, ...EmbeddedBase[]][] {
  const groups = new Map<string, [EmbeddedBase, ...EmbeddedBase[]]>();
  for (const base of bases) {
    const { credential, model, dimensions, dimensions_sent } = base;
    const key = JSON.stringify([credential, model, dimensions, dimensions_sent]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [base]);
    else group.push(base);
  }
  return [...groups.values()];
}

async function searchMeaning(
  { db, embedder, signs, questionMs }: AskParts,
  organizationId: string,
  bases: readonly [EmbeddedBase, ...EmbeddedBase[]],
  text: string,
): Promise<Ranked[] | EmbeddingFailure> {
  const [{ credential, provider, model, dimensions, dimensions_sent: sendsDimensions, vector_schema }] = bases;
  if (vector_schema === null)
    return { code: 'extension_missing', detail: 'the database has no extension vector (pgvector)' };
  const asked = { organizationId, provider, credentialId: credential, model, dimensions, sendsDimensions };
  try {
    const [vector = []] = await within(questionMs, (signal) =>
      embedder.embed(asked, [text], { timeoutMs: questionMs, signal }),
    );
    return await searchNearest({ db, signs }, organizationId, vector_schema, bases, vector);
  } catch (error) {
    if (!(error instanceof EmbeddingFailed)) throw error;
    return { code: error.code, detail: error.detail };
  }
}

/** Compares signs in memory if those of all knowledge bases are known, otherwise in the database. */
async function searchNearest(
  { db, signs }: Pick<AskParts, 'db' | 'signs'>,
  organizationId: string,
  schema: string,
  bases: readonly EmbeddedBase[],
  vector: readonly number[],
): Promise<Ranked[]> {
  const known = bases.flatMap((base) => {
    const chunks = signs.find(organizationId, base);
    return chunks === undefined ? [] : [{ base, chunks }];
  });
  if (known.length < bases.length) {
    const knowledgeBaseIds = bases.map(({ knowledge_base_id }) => knowledge_base_id);
    const near = { knowledgeBaseIds, vector, signs: signsOf(vector), limit: depth };
    const found = await searchVectors(db, organizationId, schema, near);
    signs.request(organizationId, bases);
    return found;
  }
  const lists = known.map(({ chunks }) => chunks);
  const near = nearestBySigns(lists, packSigns(vector), candidatesOf(vector.length)).flatMap(
    ({ list, documentId, position }) => known.slice(list, list + 1).map(({ base }) => ({ base, documentId, position })),
  );
  return near.length === 0 ? [] : compareVectors(db, organizationId, schema, near, { vector, limit: depth });
}

/** Also limits the time for opening the credential. */
async function within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new EmbeddingFailed('timeout', `no answer within ${timeoutMs} ms`));
      controller.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(controller.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}
