import { ArrayMaxSize, ArrayUnique, IsIn, IsInt, IsNumber, Max, Min } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, Text } from '../rules/constraints';
import {
  Address,
  Closed,
  Default,
  Describe,
  DescribeObject,
  Example,
  Ignores,
  ListOf,
  Nested,
  Nullable,
  Optional,
  Required,
  Rule,
} from '../rules/decorators';
import { idText, OrganizationName, WorkspaceNames } from './fields';
import { ListQuery, pageOf, ProjectListQuery } from './page';

const readOnlyOfBase = ['knowledge_base_id', 'created_at', 'updated_at'] as const;
const name = { min: 1, max: limits.name.max };
const language = { min: 2, max: 35, pattern: /^[A-Za-z0-9-]+$/, description: 'a language tag, such as en or de-AT' };

@DescribeObject(
  "The server with OpenAI's protocol that makes vectors of chunks and questions. The database needs pgvector.",
)
@Closed(false)
export class KnowledgeEmbeddings {
  @Required()
  @Text(idText)
  @Describe('A credential of kind `llm`, of provider `openai` or `openai_compatible`.')
  component_credential_id!: string;
  @Required() @Text(limits.model) @Example('text-embedding-3-small') model!: string;
  @Optional()
  @IntWithin(limits.embeddingDimensions)
  @Describe('Sent to the server; default: as many as the model returns.')
  dimensions?: number;
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(1)
  @Default(0)
  @Describe('Chunks with a lower cosine similarity are not found by meaning.')
  min_similarity?: number;
}

@DescribeObject('POST /v1/knowledge-bases.')
@Ignores(...readOnlyOfBase)
export class KnowledgeBaseCreate {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Required() @Text(idText) project_id!: string;
  @Required() @Text(name) @Example('Product manual') name!: string;
  @Optional()
  @Text(language)
  @Default('en')
  @Example('en')
  @Describe('The language of the documents, by whose rules words are stemmed. It cannot be changed.')
  language?: string;
  @Optional()
  @Nullable()
  @Nested(() => KnowledgeEmbeddings)
  @Describe('Null: chunks are found by their words only.')
  embeddings?: KnowledgeEmbeddings | null;
}

@DescribeObject('Fields that are absent stay.')
@Ignores(...readOnlyOfBase)
export class KnowledgeBaseUpdate extends WorkspaceNames {
  @Optional() @Text(name) @Example('Product manual') name?: string;
  @Optional()
  @Text(language)
  @Example('en')
  @Describe('Must be the current language, which cannot be changed.')
  language?: string;
  @Optional()
  @Nullable()
  @Nested(() => KnowledgeEmbeddings)
  @Describe('Null: chunks are found by their words only.')
  embeddings?: KnowledgeEmbeddings | null;
}

@DescribeObject('Documents in one language from which agents answer.')
export class KnowledgeBaseRecord {
  @Required() @Text() knowledge_base_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() project_id!: string;
  @Required() @Text() name!: string;
  @Required() @Text() @Describe('The language of the documents.') language!: string;
  @Required()
  @Nullable()
  @Nested(() => KnowledgeEmbeddings)
  @Example(null)
  @Describe('Null: chunks are found by their words only.')
  embeddings!: KnowledgeEmbeddings | null;
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

export const KnowledgeBasePage = pageOf(KnowledgeBaseRecord);

/** GET /v1/knowledge-bases. */
export class KnowledgeBaseListQuery extends ProjectListQuery {}

export const documentStatuses = ['empty', 'processing', 'ready', 'failed'] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

export const documentMediaTypes = ['text/plain', 'text/markdown', 'text/html', 'application/pdf'] as const;
export type DocumentMediaType = (typeof documentMediaTypes)[number];

/** Why a document cannot be searched. */
export const documentFailures = [
  'address_refused',
  'unreachable',
  'answer_refused',
  'media_type',
  'too_large',
  'too_many_pages',
  'not_readable',
  'no_text',
  'base_full',
  'processing_failed',
] as const;
export type DocumentFailureCode = (typeof documentFailures)[number];

function oneSource({ name, text, url }: KnowledgeDocumentCreate): string | undefined {
  if (text !== undefined && url !== undefined) return 'text and url exclude each other';
  return name === undefined && url === undefined ? 'name is required without url' : undefined;
}

@DescribeObject('A text, an address that is read once, or only a name if the content is uploaded afterwards.')
@Rule(oneSource)
export class KnowledgeDocumentCreate extends WorkspaceNames {
  @Optional() @Text(name) @Example('Opening hours') @Describe('Default: `url` without query.') name?: string;
  @Optional()
  @Text({ min: 1, max: limits.knowledgeTextCharacters })
  @Example('We are open from nine to five.')
  @Describe('Markdown; it is split at headings and paragraphs.')
  text?: string;
  @Optional()
  @Address('http')
  @Describe('Read once, without redirects: plain text, Markdown, HTML or PDF.')
  url?: string;
}

/** Why chunks have no vectors yet, or a question has none. */
export const embeddingFailures = [
  'extension_missing',
  'credential_missing',
  'credential_refused',
  'address_refused',
  'unreachable',
  'timeout',
  'answer_refused',
  'not_readable',
  'wrong_dimensions',
] as const;
export type EmbeddingFailureCode = (typeof embeddingFailures)[number];

@DescribeObject('Why a document cannot be searched at all, or by meaning.')
export class DocumentFailure {
  @Required()
  @IsIn([...new Set([...documentFailures, ...embeddingFailures])])
  code!: DocumentFailureCode | EmbeddingFailureCode;
  @Required() @Text() detail!: string;
}

@DescribeObject('A document without its content. While new content is processed, the former content is searched.')
export class KnowledgeDocumentRecord {
  @Required() @Text() document_id!: string;
  @Required() @Text() knowledge_base_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() name!: string;
  @Required() @Nullable() @Text() @Describe('The address that it was read from.') url!: string | null;
  @Required()
  @Nullable()
  @IsIn(documentMediaTypes)
  @Describe('Null before it has content.')
  media_type!: DocumentMediaType | null;
  @Required()
  @IsIn(documentStatuses)
  @Describe('`empty`: waits for its content; `processing`: is read; `ready`: is searched; `failed`: see `failure`.')
  status!: DocumentStatus;
  @Required()
  @Nullable()
  @Nested(() => DocumentFailure)
  @Describe('Null unless it failed.')
  failure!: DocumentFailure | null;
  @Required() @IsInt() @Min(0) @Describe('Characters of its text.') characters!: number;
  @Required() @IsInt() @Min(0) @Describe('Chunks that questions can find.') chunks!: number;
  @Required()
  @IsInt()
  @Min(0)
  @Describe('Chunks that can also be found by meaning.')
  embedded_chunks!: number;
  @Required()
  @Nullable()
  @Nested(() => DocumentFailure)
  @Example(null)
  @Describe('Why the last request for vectors failed; null: it succeeded or there was none.')
  embedding_failure!: DocumentFailure | null;
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

export const KnowledgeDocumentPage = pageOf(KnowledgeDocumentRecord);

/** GET /v1/knowledge-bases/{knowledge_base_id}/documents. */
export class KnowledgeDocumentListQuery extends ListQuery {}

const question = { min: 1, max: limits.knowledgeQuestionCharacters };

@DescribeObject('POST /v1/knowledge-bases/{knowledge_base_id}/query.')
export class KnowledgeQuestion extends WorkspaceNames {
  @Required()
  @Text(question)
  @Example('When are you open?')
  text!: string;
  @Optional()
  @IntWithin(limits.knowledgeHits)
  @Default(limits.knowledgeHits.default)
  @Describe('Maximum number of chunks.')
  limit?: number;
}

@DescribeObject('A chunk of a document that matches the question.')
export class KnowledgeHit {
  @Required() @Text() knowledge_base_id!: string;
  @Required() @Text() document_id!: string;
  @Required() @Text() @Describe('The name of the document.') document_name!: string;
  @Required() @IsInt() @Min(0) @Describe('Index of the chunk in the document, from 0.') position!: number;
  @Required() @Text() @Describe('The chunk, after the headings above it.') text!: string;
  @Required() @IsNumber() @Describe('Higher is better; comparable only within one answer.') score!: number;
}

export const knowledgeRankings = ['full_text', 'hybrid'] as const;
export type KnowledgeRanking = (typeof knowledgeRankings)[number];

@DescribeObject('The chunks that match a question, best first.')
export class KnowledgeAnswer {
  @Required() @ListOf(() => KnowledgeHit) data!: KnowledgeHit[];
  @Required()
  @IsIn(knowledgeRankings)
  @Describe('`full_text`: ranked by words; `hybrid`: by words and meaning.')
  ranking!: KnowledgeRanking;
  @Required()
  @Nullable()
  @Nested(() => DocumentFailure)
  @Example(null)
  @Describe('Why the question was not compared by meaning.')
  embedding_failure!: DocumentFailure | null;
}

@DescribeObject('Asks the knowledge bases that the agent of the call had when it began.')
export class WorkerKnowledgeQuestion extends OrganizationName {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Required()
  @Text(question)
  @Example('When are you open?')
  text!: string;
  @Optional()
  @IntWithin(limits.knowledgeHits)
  @Default(limits.knowledgeHits.default)
  @Describe('Maximum number of chunks.')
  limit?: number;
}

@DescribeObject('Replaces the list whole.')
@Ignores('agent_id')
export class AgentKnowledgeBases extends WorkspaceNames {
  @Required()
  @ArrayMaxSize(limits.knowledgeBasesOfAgent)
  @ArrayUnique()
  @Text(idText, { each: true })
  @Example([])
  @Describe('Knowledge bases of the project of the agent.')
  knowledge_base_ids!: string[];
}

@DescribeObject('A call keeps the knowledge bases that the agent had when the call began.')
export class AgentKnowledgeBasesRecord {
  @Required() @Text() agent_id!: string;
  @Required()
  @Text({}, { each: true })
  @Describe('Includes deleted ones, in which nothing is found.')
  knowledge_base_ids!: string[];
}
