-- Replies to incoming messages (ADR 124): one row for each message that is to be answered, kept for a day.
create table message_replies (
  message_id text primary key,
  organization_id text not null,
  -- Empty: the number has no agent.
  agent_id text not null,
  -- SHA-256 of the organization's number and the sender's: replies of one pair are sent one after another, and counted.
  pair bytea not null,
  -- stop, start and help are confirmed by the platform; agent: the agent answers.
  kind text not null check (kind in ('stop', 'start', 'help', 'agent')),
  -- The language of the agent; empty for none.
  language text not null,
  -- When it is tried (again). A process that tries moves this to the end of its lease. Null: nothing is left to do.
  due_at timestamptz default clock_timestamp(),
  attempts integer not null default 0,
  -- The chat in which the agent answers.
  call_id text,
  -- How often a chat refused the message: each time it is offered as a new turn.
  refusals integer not null default 0,
  created_at timestamptz not null default clock_timestamp()
);
create index message_replies_due on message_replies (due_at) where due_at is not null;
create index message_replies_of_pair on message_replies (organization_id, pair, message_id);
create index message_replies_old on message_replies (created_at);

-- The confirmation of an opt-out is the one message that is sent to a suppressed number.
alter table message_jobs add column despite_suppression boolean not null default false;
