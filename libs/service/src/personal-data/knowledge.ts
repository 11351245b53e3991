import { noPerson, organizationColumn, type ServiceTables } from './entry';
import { idempotency, outbox, schemaMigrations } from './every-service';

const ofDocuments = noPerson(
  'documents are what the customer publishes to callers; it deletes one that names a person',
);
const withDocument = 'deleted with its document, which the customer deletes, within seconds';

/** The tables of the service knowledge. */
export const knowledgeTables: ServiceTables = {
  personal: {
    knowledge_bases: {
      personal: { name: 'a name that the customer chose' },
      other: [
        ...['organization_id', 'knowledge_base_id', 'project_id', 'language', 'config'],
        ...['embedding_credential', 'embedding_provider', 'embedding_model'],
      ],
      byOrganization: organizationColumn,
      byPerson: ofDocuments,
      aging: 'kept: until the customer deletes it',
    },
    documents: {
      personal: {
        name: 'a name that the customer chose',
        url: 'the address that it is read from',
        failure_detail: 'why it cannot be searched, with what its server answered',
      },
      other: [
        ...['organization_id', 'document_id', 'knowledge_base_id', 'media_type', 'status', 'failure_code', 'claim'],
      ],
      byOrganization: organizationColumn,
      byPerson: ofDocuments,
      aging: 'kept: until the customer deletes it or its knowledge base',
    },
    document_contents: {
      personal: { content: 'what the customer sent' },
      other: ['organization_id', 'document_id', 'media_type'],
      byOrganization: organizationColumn,
      byPerson: ofDocuments,
      aging: 'deleted once it is processed',
    },
    chunks: {
      personal: { text: 'the text of a document in chunks' },
      other: ['organization_id', 'document_id'],
      byOrganization: organizationColumn,
      byPerson: ofDocuments,
      aging: withDocument,
    },
    postings: {
      personal: { term: 'a word of a document' },
      other: ['organization_id', 'knowledge_base_id', 'document_id', 'positions', 'weights'],
      byOrganization: organizationColumn,
      byPerson: ofDocuments,
      aging: withDocument,
    },
    embeddings: {
      personal: {
        embedding: 'the meaning of a chunk of a document as numbers, from which much of its text can be guessed',
        signs: 'the same, by one bit for each number',
      },
      other: ['organization_id', 'document_id'],
      byOrganization: organizationColumn,
      byPerson: ofDocuments,
      aging: withDocument,
    },
    idempotency,
    outbox,
  },
  without: {
    embedding_jobs: ['organization_id', 'knowledge_base_id', 'claim', 'failure_code', 'failure_detail'],
    removed_documents: ['organization_id', 'document_id'],
    schema_migrations: schemaMigrations,
  },
};
