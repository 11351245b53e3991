-- The schema of knowledge: documents, their chunks, and what chunks are found by.

-- KNOWLEDGE BASES AND DOCUMENTS

-- Knowledge bases: sets of documents that agents search.
-- Erasure: kept: until the customer deletes it.
create table knowledge_bases (
  organization_id text not null,
  knowledge_base_id text collate "C" primary key,
  project_id text not null,
  name text not null, -- personal (kept): a name that the customer chose
  language text not null,
  -- The text search configuration of the language: `simple` where PostgreSQL has none for it.
  config text not null,
  -- Counts every change from 1; the ETag.
  revision integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Null: pieces are found by their words alone.
  embedding_credential text,
  embedding_provider text,
  embedding_model text, -- As the provider names it.
  embedding_dimensions integer,
  -- Whether requests name the dimensions, because the customer has chosen them.
  embedding_dimensions_sent boolean not null default false,
  embedding_min_similarity real not null default 0,
  -- Counts the settings under which vectors are made. Vectors of earlier settings are not compared.
  embedding_set integer not null default 0
);
create index knowledge_bases_of_organization on knowledge_bases (organization_id, created_at desc, knowledge_base_id desc);
create index knowledge_bases_of_project on knowledge_bases (organization_id, project_id, created_at desc, knowledge_base_id desc);

-- Documents of a knowledge base.
-- Erasure: kept: until the customer deletes it or its knowledge base.
create table documents (
  organization_id text not null,
  document_id text collate "C" primary key,
  knowledge_base_id text collate "C" not null,
  name text not null, -- personal (kept): a name that the customer chose
  url text, -- personal (kept): the address that it is read from
  media_type text,
  status text not null check (status in ('empty', 'processing', 'ready', 'failed')),
  failure_code text, -- Null: it did not fail.
  failure_detail text, -- personal (kept): why it cannot be searched, with what its server answered
  characters integer not null default 0,
  chunks integer not null default 0,
  -- Of the processing that is due or under way: how often it was begun, until when a replica has it, and whose claim that is.
  attempts integer not null default 0,
  claimed_until timestamptz not null default '-infinity',
  claim text not null default '', -- The replica that processes it.
  upload_id text, -- The parts of `document_contents` that are its content and are to be processed. Null: none.
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Counts what makes vectors stale: new chunks, and other settings of the base.
  embedding_epoch integer not null default 0,
  -- The first chunk without a vector. All chunks before it were sent.
  embedding_position integer not null default 0,
  -- Chunks with a vector: fewer than were sent, if the server refused some of them.
  embedded_chunks integer not null default 0
);
create index documents_of_base on documents (organization_id, knowledge_base_id, created_at desc, document_id desc);
create index documents_due on documents (claimed_until, updated_at) where status = 'processing';

-- What was sent, in the parts in which it arrived, until it is processed. Parts of uploads that broke off belong to no document.
-- Erasure: deleted once it is processed, and after 15 minutes if its upload broke off.
create table document_contents (
  organization_id text not null,
  document_id text collate "C" not null,
  upload_id text collate "C" not null,
  -- From 0.
  part integer not null,
  content bytea not null, -- personal (erased with the row): what the customer sent
  sent_at timestamptz not null default now(),
  primary key (organization_id, document_id, upload_id, part)
);
create index document_contents_age on document_contents (sent_at);

-- Documents that are gone and whose chunks are not yet.
create table removed_documents (
  organization_id text not null,
  document_id text collate "C" primary key,
  removed_at timestamptz not null default now()
);
create index removed_documents_age on removed_documents (removed_at);

-- WHAT DOCUMENTS ARE FOUND BY

-- The text of documents, in the chunks that searches return.
-- Erasure: deleted with its document, which the customer deletes, within seconds.
create table chunks (
  organization_id text not null,
  document_id text collate "C" not null,
  -- In the document, from 0.
  position integer not null,
  text text not null, -- personal (erased with the row): the text of a document in chunks
  primary key (organization_id, document_id, position)
);

-- Which chunks have a term, as parallel arrays for up to 200 neighboring chunks of a document, with the part of BM25 that hangs on the chunk alone
-- (ADR 101). The key finds a term in a base; the index finds a document.
-- Erasure: deleted with its document, which the customer deletes, within seconds.
create table postings (
  organization_id text not null,
  knowledge_base_id text collate "C" not null,
  term text collate "C" not null, -- personal (erased with the row): a word of a document
  document_id text collate "C" not null,
  first_position integer not null,
  positions integer[] not null,
  weights real[] not null,
  primary key (organization_id, knowledge_base_id, term, document_id, first_position)
);
create index postings_of_document on postings (organization_id, document_id);

-- Vectors of chunks. No column has a type of pgvector, so that the schema and a restore do not depend on the extension (ADR 128).
-- Erasure: deleted with its document, which the customer deletes, within seconds.
create table embeddings (
  organization_id text not null,
  document_id text collate "C" not null,
  -- The chunk.
  position integer not null,
  embedding_set integer not null,
  -- One bit for each dimension: 1 where its value is positive. Nearest candidates are found by these, 32 times smaller than the vector. personal
  -- (erased with the row): the same, by one bit for each number
  signs bit varying not null,
  -- personal (erased with the row): the meaning of a chunk of a document as numbers, from which much of its text can be guessed
  embedding real[] not null,
  primary key (organization_id, document_id, position)
);

-- Numbers of a vector cannot be compressed. Out of line, they are read only for the candidates.
alter table embeddings alter column embedding set storage external;

-- Knowledge bases with chunks that have no vector yet, or with vectors that are no longer wanted.
create table embedding_jobs (
  organization_id text not null,
  knowledge_base_id text collate "C" primary key,
  -- Counts the reasons, so that one that arrives while the job ends is not lost.
  wanted integer not null default 1,
  -- Since the last success.
  attempts integer not null default 0,
  claim text not null default '', -- The replica that makes the vectors; empty: none.
  -- When a replica may claim it: after a failure, or when a claim expires.
  due_at timestamptz not null default '-infinity',
  -- Of the last attempt; null: it succeeded.
  failure_code text,
  failure_detail text -- What the provider answered.
);
create index embedding_jobs_due on embedding_jobs (due_at);

-- pgvector is optional: without it, chunks are found by their words.
do $$
begin
  if exists (select from pg_available_extensions where name = 'vector') then
    create extension if not exists vector;
  end if;
exception when insufficient_privilege then
  raise notice 'pgvector is available, but this role may not create the extension vector (docs/operating.md)';
end $$;

-- COMMON TABLES AND FUNCTIONS

\ir ../../libs/service/sql/idempotency.sql
\ir ../../libs/outbox/sql/rings.sql
\ir ../../libs/outbox/sql/outbox.sql
\ir ../../libs/service/sql/oldest-snapshot.sql
