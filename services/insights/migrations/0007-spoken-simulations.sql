-- Spoken runs: with sound, in real time.
alter table simulation_runs add column spoken boolean not null default false;

-- What a worker needs for a spoken job (engine, transcribers, voices); null: a job without sound.
alter table simulation_jobs add column needs text[];

-- What workers of spoken jobs offer, with the time of the last claim: one row for each different offer.
create table simulation_spoken_offers (
  offers text[] primary key,
  seen_at timestamptz not null default clock_timestamp()
);
