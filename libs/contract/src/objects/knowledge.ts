import { ArrayMaxSize, ArrayUnique, IsIn, IsInt, IsNumber, Max, Min } from 'class-validator';
import { limits } from '../limits';
import { Text } from '../rules/constraints';
import {
  Address,
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

@DescribeObject("A server with OpenAI's protocol. Needs pgvector.")
export class KnowledgeEmbeddings {
  @Required()
  @Text(idText)
  @Describe('Of kind llm, of openai or openai_compatible.')
  component_credential_id!: string;
  @Required() @Text(limits.model) @Example('text-embedding-3-small') model!: string;
  @Optional()
  @IsInt()
  @Min(limits.embeddingDimensions.min)
  @Max(limits.embeddingDimensions.max)
  @Describe('Sent to the server if given.')
  dimensions?: number;
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(1)
  @Default(0)
  @Describe('Of pieces found by meaning, by cosine.')
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
  @Describe('Of the documents: by its rules words are cut to stems. It stays.')
  language?: string;
  @Optional()
  @Nullable()
  @Nested(() => KnowledgeEmbeddings)
  @Describe('Null: none.')
  embeddings?: KnowledgeEmbeddings | null;
}

@DescribeObject('Fields that are absent stay.')
@Ignores(...readOnlyOfBase)
export class KnowledgeBaseUpdate extends WorkspaceNames {
  @Optional() @Text(name) @Example('Product manual') name?: string;
  @Optional() @Text(language) @Example('en') @Describe('As it is.') language?: string;
  @Optional()
  @Nullable()
  @Nested(() => KnowledgeEmbeddings)
  @Describe('Null: none.')
  embeddings?: KnowledgeEmbeddings | null;
}

@DescribeObject('Documents of one language that agents answer from.')
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
  @Describe('Null: words alone count.')
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

@DescribeObject('A text, an address that is read once, or a name alone.')
@Rule(oneSource)
export class KnowledgeDocumentCreate extends WorkspaceNames {
  @Optional() @Text(name) @Example('Opening hours') @Describe('Default with `url`: the address.') name?: string;
  @Optional()
  @Text({ min: 1, max: limits.knowledgeTextCharacters })
  @Example('We are open from nine to five.')
  @Describe('Read as Markdown.')
  text?: string;
  @Optional()
  @Address('http')
  @Describe('Read once, without redirects: plain text, Markdown, HTML or PDF.')
  url?: string;
}

/** Why pieces have no vectors yet, or a question has none. */
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

@DescribeObject('Why a document cannot be searched, or not by its meaning.')
export class DocumentFailure {
  @Required()
  @IsIn([...new Set([...documentFailures, ...embeddingFailures])])
  code!: DocumentFailureCode | EmbeddingFailureCode;
  @Required() @Text() detail!: string;
}

@DescribeObject('Without its content. While it is processed again, its former content is found.')
export class KnowledgeDocumentRecord {
  @Required() @Text() document_id!: string;
  @Required() @Text() knowledge_base_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() name!: string;
  @Required() @Nullable() @Text() @Describe('Null: none.') url!: string | null;
  @Required()
  @Nullable()
  @IsIn(documentMediaTypes)
  @Describe('Null before it has a content.')
  media_type!: DocumentMediaType | null;
  @Required()
  @IsIn(documentStatuses)
  @Describe('`empty`: waits for its content; `ready`: is found.')
  status!: DocumentStatus;
  @Required()
  @Nullable()
  @Nested(() => DocumentFailure)
  @Describe('Null unless it failed.')
  failure!: DocumentFailure | null;
  @Required() @IsInt() @Min(0) @Describe('Of its text.') characters!: number;
  @Required() @IsInt() @Min(0) @Describe('Pieces.') chunks!: number;
  @Required()
  @IsInt()
  @Min(0)
  @Describe('Those found by meaning too.')
  embedded_chunks!: number;
  @Required()
  @Nullable()
  @Nested(() => DocumentFailure)
  @Example(null)
  @Describe('Of the last attempt.')
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
  @IsInt()
  @Min(limits.knowledgeHits.min)
  @Max(limits.knowledgeHits.max)
  @Default(limits.knowledgeHits.default)
  @Describe('Most pieces.')
  limit?: number;
}

@DescribeObject('A piece of a document.')
export class KnowledgeHit {
  @Required() @Text() knowledge_base_id!: string;
  @Required() @Text() document_id!: string;
  @Required() @Text() @Describe('Its name.') document_name!: string;
  @Required() @IsInt() @Min(0) @Describe('Piece of the document, from 0.') position!: number;
  @Required() @Text() @Describe('Below its headings.') text!: string;
  @Required() @IsNumber() @Describe('Comparable within one answer.') score!: number;
}

export const knowledgeRankings = ['full_text', 'hybrid'] as const;
export type KnowledgeRanking = (typeof knowledgeRankings)[number];

@DescribeObject('Best first.')
export class KnowledgeAnswer {
  @Required() @ListOf(() => KnowledgeHit) data!: KnowledgeHit[];
  @Required()
  @IsIn(knowledgeRankings)
  @Describe('What counted.')
  ranking!: KnowledgeRanking;
  @Required()
  @Nullable()
  @Nested(() => DocumentFailure)
  @Example(null)
  @Describe('Why words alone count.')
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
  @IsInt()
  @Min(limits.knowledgeHits.min)
  @Max(limits.knowledgeHits.max)
  @Default(limits.knowledgeHits.default)
  @Describe('Most pieces.')
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
  @Describe('Of its project.')
  knowledge_base_ids!: string[];
}

@DescribeObject('Calls that have begun keep those that they began with.')
export class AgentKnowledgeBasesRecord {
  @Required() @Text() agent_id!: string;
  @Required()
  @Text({}, { each: true })
  @Describe('Deleted ones are still named.')
  knowledge_base_ids!: string[];
}
