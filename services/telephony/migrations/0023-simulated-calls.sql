alter table calls
  add column needs text[] not null default '{}',
  -- The provider of the platform's number. Null: not known, as for calls of before, or none.
  add column carrier text,
  add column simulator_pace text check (simulator_pace in ('instant', 'real_time')),
  add column components_simulated text[] not null default '{}',
  -- JSON: a list of the class CallProblem.
  add column problems text not null default '[]',
  add column cancel_requested_at timestamptz;

alter table numbers add column simulator_pace text not null default 'instant' check (simulator_pace in ('instant', 'real_time'));
