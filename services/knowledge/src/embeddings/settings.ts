import { limits, type KnowledgeEmbeddings } from '@parley/contract';
import { invalidField } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import type { Embedder } from './embedder';
import { EmbeddingFailed } from './embedding-failed';
import { findVectorSchema } from './embeddings.sql';

/** How a knowledge base makes its vectors. */
export interface EmbeddingSettings {
  readonly credentialId: string;
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  /** Whether requests name the dimensions, because the customer has chosen them. */
  readonly sendsDimensions: boolean;
  readonly minSimilarity: number;
}

/** A text that is sent to learn whether a server works, and how long its vectors are. */
export const probe = 'What are the opening hours?';
/** Less than the deadline of a request to this service. */
const probeMs = 6_000;

/**
 * Checks that embeddings can be made with what was sent, by making one: the credential, the extension, the model, and the length of its vectors.
 * @throws AppError BadRequestError that names the field
 */
export async function checkSettings(
  { db, embedder }: { readonly db: Queryable; readonly embedder: Embedder },
  organizationId: string,
  { component_credential_id: credentialId, model, dimensions, min_similarity: minSimilarity = 0 }: KnowledgeEmbeddings,
): Promise<EmbeddingSettings> {
  const provider = await embedder.accounts.findProvider(organizationId, credentialId);
  if (provider === undefined)
    throw invalidField(
      'embeddings.component_credential_id',
      'not_allowed',
      'does not name a credential of this organization of kind llm and provider openai or openai_compatible',
    );
  if ((await findVectorSchema(db)) === undefined)
    throw invalidField('embeddings', 'not_allowed', 'need the extension vector (pgvector) in the database');
  const sendsDimensions = dimensions !== undefined;
  const asked = { organizationId, provider, credentialId, model, dimensions, sendsDimensions };
  const [vector = []] = await embedder.embed(asked, [probe], { timeoutMs: probeMs }).catch((error: unknown): never => {
    if (!(error instanceof EmbeddingFailed)) throw error;
    throw invalidField('embeddings', 'not_allowed', `cannot be created: ${error.code}: ${error.detail}`);
  });
  if (vector.length > limits.embeddingDimensions.max)
    throw invalidField(
      'embeddings.dimensions',
      'too_large',
      `are ${vector.length} with this model; the maximum is ${limits.embeddingDimensions.max}`,
    );
  return { credentialId, provider, model, dimensions: vector.length, sendsDimensions, minSimilarity };
}

/** Whether vectors that were made with the stored settings can still be compared: then only the lower bound may differ. */
export const makesSameVectors = (
  stored: EmbeddingSettings,
  { component_credential_id: credentialId, model, dimensions = stored.dimensions }: KnowledgeEmbeddings,
): boolean => stored.credentialId === credentialId && stored.model === model && stored.dimensions === dimensions;
