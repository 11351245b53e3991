import type { Queryable } from '@parley/runtime';
import type { Found } from './search.sql';

/** The settings of a knowledge base with embeddings. */
export interface EmbeddedBase {
  readonly knowledge_base_id: string;
  readonly credential: string;
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  readonly dimensions_sent: boolean;
  /** The schema of the extension vector (pgvector), quoted if necessary; null: it is not in this database. */
  readonly vector_schema: string | null;
}

/** Returns the knowledge bases among these that have embeddings. */
export async function findEmbeddedBases(
  db: Queryable,
  organizationId: string,
  knowledgeBaseIds: readonly string[],
): Promise<EmbeddedBase[]> {
  const { rows } = await db.query<EmbeddedBase>({
    name: 'bases-embedded',
    text: `select knowledge_base_id, embedding_credential as credential, embedding_provider as provider,
             embedding_model as model, embedding_dimensions as dimensions, embedding_dimensions_sent as dimensions_sent,
             (select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
              where extname = 'vector') as vector_schema
           from knowledge_bases
           where (organization_id = $1) is true and knowledge_base_id = any($2::text[]) and embedding_credential is not null
           order by knowledge_base_id`,
    values: [organizationId, knowledgeBaseIds],
  });
  return rows;
}

/**
 * Number of chunks whose vectors are compared exactly: those whose signs differ least from the signs of the question. Comparing all vectors of 10,000 chunks
 * would read 60 MB; their signs are 2 MB. The more dimensions a vector has, the better its signs represent it and the longer it takes to read, so fewer
 * candidates are compared: 1.2 MB of vectors, but at least five times the results of the largest ranking.
 */
const candidates = (dimensions: number): number => Math.min(500, Math.max(200, Math.ceil(307_200 / dimensions)));

export interface NearQuestion {
  readonly knowledgeBaseIds: readonly string[];
  readonly vector: readonly number[];
  /** The signs of the vector, as PostgreSQL writes them. */
  readonly signs: string;
  readonly limit: number;
}

/**
 * Returns the chunks of these knowledge bases whose vectors are nearest to that of a question, by cosine similarity. The knowledge bases must have the same
 * model. Vectors of earlier settings and of deleted documents are excluded before the ranking.
 * @param schema that of pgvector, quoted if necessary
 */
export async function searchVectors(
  db: Queryable,
  organizationId: string,
  schema: string,
  { knowledgeBaseIds, vector, signs, limit }: NearQuestion,
): Promise<Found[]> {
  const { rows } = await db.query<Found>({
    name: `vectors-search-${schema}`.slice(0, 60),
    text: `with held as materialized (
             select documents.document_id, documents.knowledge_base_id, documents.name, embedding_set, embedding_min_similarity
             from knowledge_bases join documents on documents.organization_id = $1
               and documents.knowledge_base_id = knowledge_bases.knowledge_base_id and embedded_chunks > 0
             where (knowledge_bases.organization_id = $1) is true and knowledge_bases.knowledge_base_id = any($2::text[])
               and embedding_credential is not null and embedding_dimensions = bit_length($3::bit varying)
           ), near as materialized (
             select held.knowledge_base_id, held.document_id, held.name, embedding_min_similarity, position, embedding
             from held join embeddings on embeddings.organization_id = $1 and embeddings.document_id = held.document_id
               and embeddings.embedding_set = held.embedding_set
             order by bit_count(signs # $3::bit varying), position, held.document_id limit $6
           ), asked as materialized (
             -- A parameter of the type itself would break the prepared statement if the extension is created again.
             select $4::real[]::${schema}.vector as vector
           ), ranked as materialized (
             select knowledge_base_id, document_id, name, position, embedding_min_similarity,
               1 - (embedding::${schema}.vector operator(${schema}.<=>) asked.vector) as similarity
             from near, asked
           ), nearest as materialized (
             select * from ranked where similarity >= embedding_min_similarity
             order by similarity desc, document_id, position limit $5
           )
           select nearest.knowledge_base_id, nearest.document_id, nearest.name as document_name, nearest.position, chunks.text,
             similarity as score
           from nearest join chunks on chunks.organization_id = $1 and chunks.document_id = nearest.document_id
             and chunks.position = nearest.position
           order by similarity desc, nearest.document_id, nearest.position`,
    values: [organizationId, knowledgeBaseIds, signs, `{${vector.join(',')}}`, limit, candidates(vector.length)],
  });
  return rows;
}
