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
  @Describe('The language of the documents: by its rules words are cut to their stems. It stays for good.')
  language?: string;
}

@DescribeObject('Fields that are absent stay.')
@Ignores(...readOnlyOfBase)
export class KnowledgeBaseUpdate extends WorkspaceNames {
  @Optional() @Text(name) @Example('Product manual') name?: string;
  @Optional() @Text(language) @Example('en') @Describe('As it is: it cannot be changed.') language?: string;
}

@DescribeObject('A knowledge base as it is read: documents of one language that agents answer from.')
export class KnowledgeBaseRecord {
  @Required() @Text() knowledge_base_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() project_id!: string;
  @Required() @Text() name!: string;
  @Required() @Text() @Describe('The language of the documents.') language!: string;
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

@DescribeObject('A text, an address that is read once, or a name alone, whose content is sent after.')
@Rule(oneSource)
export class KnowledgeDocumentCreate extends WorkspaceNames {
  @Optional() @Text(name) @Example('Opening hours') @Describe('Default with `url`: the address.') name?: string;
  @Optional()
  @Text({ min: 1, max: limits.knowledgeTextCharacters })
  @Example('We are open from nine to five.')
  @Describe('Read as Markdown: headings and paragraphs are where it is cut.')
  text?: string;
  @Optional()
  @Address('http')
  @Describe('Read once, without redirects: plain text, Markdown, HTML or PDF.')
  url?: string;
}

@DescribeObject('Why a document cannot be searched.')
export class DocumentFailure {
  @Required() @IsIn(documentFailures) code!: DocumentFailureCode;
  @Required() @Text() detail!: string;
}

@DescribeObject(
  'A document as it is read, without its content. While one is processed again, what it held before is still found.',
)
export class KnowledgeDocumentRecord {
  @Required() @Text() document_id!: string;
  @Required() @Text() knowledge_base_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() name!: string;
  @Required() @Nullable() @Text() @Describe('The address that it is read from; null: none.') url!: string | null;
  @Required()
  @Nullable()
  @IsIn(documentMediaTypes)
  @Describe('Of the content; null before there is one.')
  media_type!: DocumentMediaType | null;
  @Required()
  @IsIn(documentStatuses)
  @Describe('`empty`: waits for its content; `processing`: is read; `ready`: is found; `failed`: see `failure`.')
  status!: DocumentStatus;
  @Required()
  @Nullable()
  @Nested(() => DocumentFailure)
  @Describe('Null unless it failed.')
  failure!: DocumentFailure | null;
  @Required() @IsInt() @Min(0) @Describe('Characters of its text that are searched.') characters!: number;
  @Required() @IsInt() @Min(0) @Describe('Pieces that a question finds.') chunks!: number;
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
  @Describe('The question, in words of its own.')
  text!: string;
  @Optional()
  @IsInt()
  @Min(limits.knowledgeHits.min)
  @Max(limits.knowledgeHits.max)
  @Default(limits.knowledgeHits.default)
  @Describe('How many pieces at most.')
  limit?: number;
}

@DescribeObject('A piece of a document that answers a question, and where it stands.')
export class KnowledgeHit {
  @Required() @Text() knowledge_base_id!: string;
  @Required() @Text() document_id!: string;
  @Required() @Text() @Describe('The name of the document.') document_name!: string;
  @Required() @IsInt() @Min(0) @Describe('Which piece of the document it is, from 0.') position!: number;
  @Required() @Text() @Describe('The piece, below the headings that it stands under.') text!: string;
  @Required() @IsNumber() @Describe('Higher is better; comparable within one answer alone.') score!: number;
}

@DescribeObject('What answers a question, best first; empty where nothing does.')
export class KnowledgeAnswer {
  @Required() @ListOf(() => KnowledgeHit) data!: KnowledgeHit[];
}

@DescribeObject('Asks the knowledge bases that the agent of the call had when it began.')
export class WorkerKnowledgeQuestion extends OrganizationName {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Required()
  @Text(question)
  @Example('When are you open?')
  @Describe('The question, in words of its own.')
  text!: string;
  @Optional()
  @IsInt()
  @Min(limits.knowledgeHits.min)
  @Max(limits.knowledgeHits.max)
  @Default(limits.knowledgeHits.default)
  @Describe('How many pieces at most.')
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
  @Describe('The bases that the agent answers from, of its own project.')
  knowledge_base_ids!: string[];
}

@DescribeObject(
  'The knowledge bases that an agent answers from. Calls that have begun keep those that they began with.',
)
export class AgentKnowledgeBasesRecord {
  @Required() @Text() agent_id!: string;
  @Required()
  @Text({}, { each: true })
  @Describe('One that was deleted since is still named, and nothing is found in it.')
  knowledge_base_ids!: string[];
}
