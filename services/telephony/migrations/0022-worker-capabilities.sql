-- What workers declared they can do, one row a declaration (ADR 50). An empty organization_id stands for hosted workers.
create table worker_capabilities (
  organization_id text not null,
  kind text not null check (kind in ('call', 'simulation')),
  -- SHA-256 of the sorted list: lists are too long for an index.
  digest text not null,
  capabilities text[] not null,
  -- Written when it is a minute old.
  last_seen timestamptz not null,
  primary key (organization_id, kind, digest)
);

-- What a worker must be able to do to be given the job; nothing for jobs of before.
alter table jobs add column needs text[] not null default '{}';
-- The declaration of the worker that holds the job: one whose slots are all taken does not claim, and is there all the same.
alter table jobs add column declaration text;
