-- Embeddings (ADR 128). No column has a type of pgvector, so that this migration and a restore succeed without the extension, and an operator can add it later.
do $$
begin
  if exists (select from pg_available_extensions where name = 'vector') then
    create extension if not exists vector;
  end if;
exception when insufficient_privilege then
  raise notice 'pgvector is available, but this role may not create the extension vector (docs/operating.md)';
end $$;

alter table knowledge_bases
  -- Null: pieces are found by their words alone.
  add column embedding_credential text,
  add column embedding_provider text,
  add column embedding_model text,
  add column embedding_dimensions integer,
  -- Whether requests name the dimensions, because the customer has chosen them.
  add column embedding_dimensions_sent boolean not null default false,
  add column embedding_min_similarity real not null default 0,
  -- Counts the settings under which vectors are made. Vectors of earlier settings are not compared.
  add column embedding_set integer not null default 0;

alter table documents
  -- Counts what makes vectors stale: new chunks, and other settings of the base.
  add column embedding_epoch integer not null default 0,
  -- The first chunk without a vector. All chunks before it were sent.
  add column embedding_position integer not null default 0,
  -- Chunks with a vector: fewer than were sent, if the server refused some of them.
  add column embedded_chunks integer not null default 0;

create table embeddings (
  organization_id text not null,
  document_id text collate "C" not null,
  -- The chunk.
  position integer not null,
  embedding_set integer not null,
  -- One bit for each dimension: 1 where its value is positive. Nearest candidates are found by these, 32 times smaller than the vector.
  signs bit varying not null,
  embedding real[] not null,
  primary key (organization_id, document_id, position)
);
-- Random numbers cannot be compressed; out of line they are read for the candidates alone.
alter table embeddings alter column embedding set storage external;

-- Knowledge bases with chunks that have no vector yet, or with vectors that are no longer wanted.
create table embedding_jobs (
  organization_id text not null,
  knowledge_base_id text collate "C" primary key,
  -- Counts the reasons, so that one that arrives while the job ends is not lost.
  wanted integer not null default 1,
  -- Since the last success.
  attempts integer not null default 0,
  claim text not null default '',
  -- When a replica may claim it: after a failure, or when a claim expires.
  due_at timestamptz not null default '-infinity',
  -- Of the last attempt; null: it succeeded.
  failure_code text,
  failure_detail text
);
create index embedding_jobs_due on embedding_jobs (due_at);
