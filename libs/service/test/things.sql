\ir ../sql/idempotency.sql

create table things (id text primary key, label text not null);
