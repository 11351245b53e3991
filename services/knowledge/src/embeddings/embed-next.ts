import { randomUUID } from 'node:crypto';
import type { EmbeddingFailureCode } from '@parley/contract';
import type { Database } from '@parley/runtime';
import { signsOf, type Embedder, type EmbeddingModel } from './embedder';
import { EmbeddingFailed } from './embedding-failed';
import {
  advanceDocument,
  findSettings,
  findWaiting,
  putVectors,
  readTexts,
  removeVectors,
  type SettingsRow,
} from './embeddings.sql';
import { claimJob, lockClaims, type EmbeddingJob } from './jobs.cross-tenant.sql';
import { endJob, extendJob, releaseJob } from './jobs.sql';
import { probe } from './settings';

export interface EmbeddingWork {
  readonly db: Database;
  readonly embedder: Embedder;
  /** Called with the number of vectors of a stored batch. */
  readonly stored: (vectors: number) => void;
  /** Called with the code of a failure. What failed is repeated. */
  readonly failed: (code: EmbeddingFailureCode) => void;
  /** Whether only knowledge bases of organizations that have none in progress are taken. */
  readonly reserved: boolean;
}

/** Longer than one batch can take. */
const claimSeconds = 120;
const batchMs = 30_000;
/** Chunks in one request: a server may refuse more, and what a killed process has to repeat is at most one request. */
const batchChunks = 32;
/** Then other knowledge bases get their turn. */
const batchesOfAClaim = 20;
const removedAtOnce = 500;
const pauseSeconds = { first: 5, most: 600 };

class ClaimLost extends Error {}

/** Makes vectors for the next knowledge base that is due, or deletes those that are no longer wanted. @returns false if there is none */
export async function embedNext(work: EmbeddingWork, signal: AbortSignal): Promise<boolean> {
  const { db, failed, reserved } = work;
  const claiming = { claim: randomUUID(), seconds: claimSeconds, reserved };
  const job = await db.transaction(async (tx) => {
    await lockClaims(tx);
    return claimJob(tx, claiming);
  });
  if (job === undefined) return false;
  const { organization_id: organizationId } = job;
  let { attempts } = job;
  try {
    for (let batch = 0; batch < batchesOfAClaim; batch += 1) {
      if (signal.aborted) break;
      if (!(await embedBatch(work, job, signal))) {
        await endJob(db, organizationId, job);
        return true;
      }
      attempts = 1;
    }
    await releaseJob(db, organizationId, job, 0, undefined);
  } catch (error) {
    if (error instanceof ClaimLost) return true;
    if (signal.aborted) await releaseJob(db, organizationId, job, 0, undefined);
    else if (error instanceof EmbeddingFailed) {
      failed(error.code);
      const seconds = Math.min(pauseSeconds.most, pauseSeconds.first * 2 ** Math.min(attempts - 1, 10));
      await releaseJob(db, organizationId, job, seconds, error);
    } else throw error;
  }
  return true;
}

/** Does one request, or one step of a deletion. What it has stored is not done again. @returns false if nothing is left to do */
async function embedBatch(
  { db, embedder, stored }: EmbeddingWork,
  job: EmbeddingJob,
  signal: AbortSignal,
): Promise<boolean> {
  const { organization_id: organizationId, knowledge_base_id: knowledgeBaseId } = job;
  const settings = await findSettings(db, organizationId, knowledgeBaseId);
  if (settings === undefined) return false;
  const model = modelOf(organizationId, settings);
  if (model === undefined)
    return (await removeVectors(db, organizationId, knowledgeBaseId, removedAtOnce)) === removedAtOnce;
  const document = await findWaiting(db, organizationId, knowledgeBaseId);
  if (document === undefined) return false;
  const texts = await readTexts(db, organizationId, document, batchChunks);
  const vectors = (await embedAccepted(embedder, model, texts, signal)).flatMap((vector, index) =>
    vector === undefined ? [] : [{ position: document.next + index, vector, signs: signsOf(vector) }],
  );
  const isStored = await db
    .transaction(async (tx) => {
      const count = { sent: texts.length, embedded: vectors.length };
      if (!(await advanceDocument(tx, organizationId, document, count))) throw new Stale();
      if (vectors.length > 0)
        await putVectors(tx, organizationId, document.document_id, settings.embedding_set, vectors);
      if (!(await extendJob(tx, organizationId, job, claimSeconds))) throw new ClaimLost();
      return true;
    })
    .catch((error: unknown) => {
      if (error instanceof Stale) return false;
      throw error;
    });
  if (isStored) stored(vectors.length);
  return true;
}

/** The document or the settings have changed since they were read. */
class Stale extends Error {}

const modelOf = (
  organizationId: string,
  { credential, provider, model, dimensions, dimensions_sent: sendsDimensions }: SettingsRow,
): EmbeddingModel | undefined =>
  credential === null
    ? undefined
    : { organizationId, provider, credentialId: credential, model, dimensions, sendsDimensions };

/** Returns a vector for each text; undefined for one that the server refuses, while it accepts others. @throws EmbeddingFailed */
async function embedAccepted(
  embedder: Embedder,
  model: EmbeddingModel,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly number[] | undefined)[]> {
  const how = { timeoutMs: batchMs, signal };
  if (texts.length === 0) return [];
  try {
    return await embedder.embed(model, texts, how);
  } catch (error) {
    if (!(error instanceof EmbeddingFailed) || !error.ofText) throw error;
    if (texts.length === 1) {
      await embedder.embed(model, [probe], how);
      return [undefined];
    }
    const half = Math.ceil(texts.length / 2);
    const first = await embedAccepted(embedder, model, texts.slice(0, half), signal);
    return [...first, ...(await embedAccepted(embedder, model, texts.slice(half), signal))];
  }
}
