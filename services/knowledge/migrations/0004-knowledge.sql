create table knowledge_bases (
  organization_id text not null,
  knowledge_base_id text collate "C" primary key,
  project_id text not null,
  name text not null,
  language text not null,
  -- The text search configuration of the language: `simple` where PostgreSQL has none for it.
  config text not null,
  -- Counts every change from 1; the ETag.
  revision integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index knowledge_bases_of_organization on knowledge_bases (organization_id, created_at desc, knowledge_base_id desc);
create index knowledge_bases_of_project on knowledge_bases (organization_id, project_id, created_at desc, knowledge_base_id desc);

create table documents (
  organization_id text not null,
  document_id text collate "C" primary key,
  knowledge_base_id text collate "C" not null,
  name text not null,
  url text,
  media_type text,
  status text not null check (status in ('empty', 'processing', 'ready', 'failed')),
  failure_code text,
  failure_detail text,
  characters integer not null default 0,
  chunks integer not null default 0,
  -- Of the processing that is due or under way: how often it was begun, until when a replica has it, and whose claim that is.
  attempts integer not null default 0,
  claimed_until timestamptz not null default '-infinity',
  claim text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index documents_of_base on documents (organization_id, knowledge_base_id, created_at desc, document_id desc);
create index documents_due on documents (claimed_until, updated_at) where status = 'processing';

-- What was sent, until it is processed.
create table document_contents (
  organization_id text not null,
  document_id text collate "C" primary key,
  media_type text not null,
  content bytea not null
);

create table chunks (
  organization_id text not null,
  document_id text collate "C" not null,
  -- In the document, from 0.
  position integer not null,
  text text not null,
  primary key (organization_id, document_id, position)
);

-- Which chunks have a term, as parallel arrays for up to 200 neighbouring chunks of a document, with the part of BM25 that hangs on the chunk alone
-- (ADR 101). The key finds a term in a base; the index finds a document.
create table postings (
  organization_id text not null,
  knowledge_base_id text collate "C" not null,
  term text collate "C" not null,
  document_id text collate "C" not null,
  first_position integer not null,
  positions integer[] not null,
  weights real[] not null,
  primary key (organization_id, knowledge_base_id, term, document_id, first_position)
);
create index postings_of_document on postings (organization_id, document_id);

-- Documents that are gone and whose chunks are not yet.
create table removed_documents (
  organization_id text not null,
  document_id text collate "C" primary key,
  removed_at timestamptz not null default now()
);
create index removed_documents_age on removed_documents (removed_at);
