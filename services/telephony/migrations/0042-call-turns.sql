-- What was said in calls that go on, as their workers report it (ADR 72). A call that ends without its worker has its transcript from here; the rows of
-- a call go when it ends.
create table call_turns (
  organization_id text not null,
  call_id text not null,
  -- In the transcript, from 0 on.
  position integer not null,
  -- JSON of TranscriptTurn, without numbers of cards.
  body text not null,
  reported_at timestamptz not null default clock_timestamp(),
  primary key (call_id, position)
);
create index call_turns_by_age on call_turns (reported_at);
