import type { Queryable } from '@parley/runtime';
import type { Ranked } from './ranked.rules';
import { candidatesOf } from './signs.rules';

/** A knowledge base that is asked, with its settings for embeddings. */
export interface AskedBase {
  readonly knowledge_base_id: string;
  readonly project_id: string;
  /** Null: it has no embeddings, and no settings for them. */
  readonly credential: string | null;
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  readonly dimensions_sent: boolean;
  readonly embedding_set: number;
  readonly min_similarity: number;
  /** The schema of the extension vector (pgvector), quoted if necessary; null: it is not in this database. */
  readonly vector_schema: string | null;
  /** Differs from all earlier values once vectors of the base were stored, replaced or deleted. */
  readonly vectors_state: string;
  /** Whether no chunk waits for its vector. */
  readonly vectors_complete: boolean;
}

export type EmbeddedBase = AskedBase & { readonly credential: string };

/** Returns those of these knowledge bases that exist. */
export async function findAskedBases(
  db: Queryable,
  organizationId: string,
  knowledgeBaseIds: readonly string[],
): Promise<AskedBase[]> {
  const { rows } = await db.query<AskedBase>({
    name: 'bases-asked',
    // What a document contributes to the state determines its vectors, because they are stored in the transactions that advance its position.
    text: `select knowledge_base_id, project_id, embedding_credential as credential, embedding_provider as provider,
             embedding_model as model, embedding_dimensions as dimensions, embedding_dimensions_sent as dimensions_sent,
             embedding_set, embedding_min_similarity as min_similarity,
             (select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
              where extname = 'vector') as vector_schema,
             embedding_set || ' ' || held.state as vectors_state, held.complete as vectors_complete
           from knowledge_bases cross join lateral (
             select coalesce(sum(hashtextextended(document_id || ' ' || embedding_epoch || ' ' || embedding_position, 0)), 0) as state,
               coalesce(bool_and(embedding_position >= chunks), true) as complete
             from documents
             where documents.organization_id = $1 and documents.knowledge_base_id = knowledge_bases.knowledge_base_id
               and embedding_credential is not null and chunks > 0
           ) as held
           where organization_id = $1 and knowledge_base_id = any($2::text[])
           order by knowledge_base_id`,
    values: [organizationId, knowledgeBaseIds],
  });
  return rows;
}

export const isEmbedded = (base: AskedBase): base is EmbeddedBase => base.credential !== null;

interface VectorQuestion {
  readonly vector: readonly number[];
  readonly limit: number;
}

export interface NearQuestion extends VectorQuestion {
  readonly knowledgeBaseIds: readonly string[];
  /** The signs of the vector, as PostgreSQL writes them. */
  readonly signs: string;
}

/** The end of both statements: compares the vectors of `near` with that of the question, $2. */
const ranking = (schema: string): string => `asked as materialized (
             -- A parameter of the type itself would break the prepared statement if the extension is created again.
             select $2::real[]::${schema}.vector as vector
           ), ranked as materialized (
             select knowledge_base_id, document_id, position, min_similarity,
               1 - (embedding::${schema}.vector operator(${schema}.<=>) asked.vector) as similarity
             from near, asked
           )
           select knowledge_base_id, document_id, position, similarity as score
           from ranked where similarity >= min_similarity
           order by similarity desc, document_id, position limit $3`;

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
): Promise<Ranked[]> {
  const { rows } = await db.query<Ranked>({
    name: `vectors-search-${schema}`.slice(0, 60),
    text: `with held as materialized (
             select documents.document_id, documents.knowledge_base_id, embedding_set, embedding_min_similarity as min_similarity
             from knowledge_bases join documents on documents.organization_id = $1
               and documents.knowledge_base_id = knowledge_bases.knowledge_base_id and embedded_chunks > 0
             where knowledge_bases.organization_id = $1 and knowledge_bases.knowledge_base_id = any($4::text[])
               and embedding_credential is not null and embedding_dimensions = bit_length($5::bit varying)
           ), near as materialized (
             select held.knowledge_base_id, held.document_id, min_similarity, position, embedding
             from held join embeddings on embeddings.organization_id = $1 and embeddings.document_id = held.document_id
               and embeddings.embedding_set = held.embedding_set
             order by bit_count(signs # $5::bit varying), position, held.document_id limit $6
           ), ${ranking(schema)}`,
    values: [organizationId, arrayOf(vector), limit, knowledgeBaseIds, signs, candidatesOf(vector.length)],
  });
  return rows;
}

export interface Candidate {
  readonly base: Pick<EmbeddedBase, 'knowledge_base_id' | 'embedding_set' | 'min_similarity'>;
  readonly documentId: string;
  readonly position: number;
}

/**
 * The same for chunks whose signs were already compared. Vectors of other settings are excluded.
 * @param schema that of pgvector, quoted if necessary
 */
export async function compareVectors(
  db: Queryable,
  organizationId: string,
  schema: string,
  near: readonly Candidate[],
  { vector, limit }: VectorQuestion,
): Promise<Ranked[]> {
  const { rows } = await db.query<Ranked>({
    name: `vectors-compare-${schema}`.slice(0, 60),
    text: `with near as materialized (
             select knowledge_base_id, document_id, position, min_similarity, embedding
             from unnest($4::text[], $5::text[], $6::integer[], $7::integer[], $8::real[])
               as one (knowledge_base_id, document, place, set, min_similarity)
             -- With a limit, the planner looks up each by its key.
             cross join lateral (
               select document_id, position, embedding from embeddings
               where organization_id = $1 and document_id = document and position = place and embedding_set = set limit 1
             ) as held
           ), ${ranking(schema)}`,
    values: [
      ...[organizationId, arrayOf(vector), limit],
      arrayOf(near.map(({ base }) => base.knowledge_base_id)),
      arrayOf(near.map(({ documentId }) => documentId)),
      arrayOf(near.map(({ position }) => position)),
      arrayOf(near.map(({ base }) => base.embedding_set)),
      arrayOf(near.map(({ base }) => base.min_similarity)),
    ],
  });
  return rows;
}

/** Ids and numbers need no quotes. This is much faster than leaving the array to the client. */
const arrayOf = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;
