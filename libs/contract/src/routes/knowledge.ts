import {
  AgentKnowledgeBases,
  AgentKnowledgeBasesRecord,
  KnowledgeAnswer,
  KnowledgeBaseCreate,
  KnowledgeBaseListQuery,
  KnowledgeBasePage,
  KnowledgeBaseRecord,
  KnowledgeBaseUpdate,
  KnowledgeDocumentCreate,
  KnowledgeDocumentListQuery,
  KnowledgeDocumentPage,
  KnowledgeDocumentRecord,
  KnowledgeQuestion,
} from '../objects/knowledge';
import { gatewayRoute, routesOf } from './define';

const route = routesOf('knowledge');
const ofAgents = routesOf('agents');

const oneBase = '/v1/knowledge-bases/{knowledge_base_id}';
const oneDocument = '/v1/knowledge-documents/{document_id}';
const ofAgent = '/v1/agents/{agent_id}/knowledge-bases';

export const knowledgeRoutes = {
  createKnowledgeBase: route('POST', '/v1/knowledge-bases', {
    summary: 'Create a knowledge base in a project',
    tool: 'Create a knowledge base in a project: documents of one language that agents answer from. Add documents next, then name the base in set_agent_knowledge_bases.',
    scope: 'knowledge:write',
    body: KnowledgeBaseCreate,
    answer: KnowledgeBaseRecord,
    creates: true,
    newWork: false,
    audit: 'knowledge_base.created',
    errors: ['NotFoundError', 'ConflictError'],
  }),
  listKnowledgeBases: route('GET', '/v1/knowledge-bases', {
    summary: 'List knowledge bases, newest first',
    tool: 'List the knowledge bases of the organization or of one project, newest first.',
    scope: 'knowledge:read',
    query: KnowledgeBaseListQuery,
    answer: KnowledgeBasePage,
  }),
  getKnowledgeBase: route('GET', oneBase, {
    summary: 'Read a knowledge base',
    tool: 'Read one knowledge base: its name, project and language.',
    scope: 'knowledge:read',
    answer: KnowledgeBaseRecord,
  }),
  updateKnowledgeBase: route('PATCH', oneBase, {
    summary: 'Rename a knowledge base',
    tool: 'Rename a knowledge base.',
    scope: 'knowledge:write',
    body: KnowledgeBaseUpdate,
    answer: KnowledgeBaseRecord,
    newWork: false,
    audit: 'knowledge_base.updated',
    conditional: true,
  }),
  deleteKnowledgeBase: route('DELETE', oneBase, {
    summary: 'Delete a knowledge base with its documents',
    tool: 'Delete a knowledge base with all its documents. It cannot be undone.',
    scope: 'knowledge:write',
    answer: KnowledgeBaseRecord,
    newWork: false,
    audit: 'knowledge_base.deleted',
    conditional: true,
  }),
  createKnowledgeDocument: route('POST', `${oneBase}/documents`, {
    summary: 'Add a document: a text, an address, or a name whose content is uploaded afterwards',
    tool: 'Add a document to a knowledge base: name and text, or the url of a page, which is read once. It is found when its status is ready; read it with get_knowledge_document.',
    scope: 'knowledge:write',
    body: KnowledgeDocumentCreate,
    answer: KnowledgeDocumentRecord,
    creates: true,
    newWork: false,
    audit: 'knowledge_document.created',
    errors: ['ConflictError'],
  }),
  listKnowledgeDocuments: route('GET', `${oneBase}/documents`, {
    summary: 'List the documents of a knowledge base, newest first',
    tool: 'List the documents of a knowledge base with their status, newest first.',
    scope: 'knowledge:read',
    query: KnowledgeDocumentListQuery,
    answer: KnowledgeDocumentPage,
    etag: false,
  }),
  putKnowledgeDocumentContent: gatewayRoute('PUT', `${oneDocument}/content`, {
    summary: 'Upload the content of a document: text, Markdown, HTML or PDF',
    scope: 'knowledge:write',
    upload: ['text/plain', 'text/markdown', 'text/html', 'application/pdf'],
    answer: KnowledgeDocumentRecord,
    rpc: 'knowledge.putDocumentContent',
    newWork: false,
    audit: 'knowledge_document.content_set',
    errors: ['ConflictError'],
    mcp: false,
  }),
  getKnowledgeDocument: route('GET', oneDocument, {
    summary: 'Read a document and the state of its processing',
    tool: 'Read one document: whether it is found yet (status ready), or why it failed.',
    scope: 'knowledge:read',
    answer: KnowledgeDocumentRecord,
  }),
  deleteKnowledgeDocument: route('DELETE', oneDocument, {
    summary: 'Delete a document',
    tool: 'Delete a document of a knowledge base. It cannot be undone.',
    scope: 'knowledge:write',
    answer: KnowledgeDocumentRecord,
    newWork: false,
    audit: 'knowledge_document.deleted',
  }),
  queryKnowledgeBase: route('POST', `${oneBase}/query`, {
    summary: 'Find the chunks of a knowledge base that match a question',
    tool: 'Ask a knowledge base a question: the best chunks of its documents, each with its document and position.',
    scope: 'knowledge:read',
    orScope: 'knowledge:query',
    body: KnowledgeQuestion,
    answer: KnowledgeAnswer,
    newWork: false,
    // A question changes nothing.
    audit: false,
  }),
  getAgentKnowledgeBases: ofAgents('GET', ofAgent, {
    summary: 'Read the knowledge bases of an agent',
    tool: 'Read which knowledge bases an agent answers from by its tool query_knowledge.',
    scope: 'agents:read',
    answer: AgentKnowledgeBasesRecord,
  }),
  setAgentKnowledgeBases: ofAgents('PUT', ofAgent, {
    summary: 'Set the knowledge bases of an agent',
    tool: 'Replace the list of knowledge bases that an agent answers from. Its tool query_knowledge asks them; add that tool with save_voice_stack.',
    scope: 'agents:write',
    body: AgentKnowledgeBases,
    answer: AgentKnowledgeBasesRecord,
    newWork: true,
    audit: 'agent.knowledge_bases_set',
  }),
};
