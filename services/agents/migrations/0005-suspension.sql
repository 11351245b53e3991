-- The status that an operator's suspension found and that reinstatement brings back; null while the agent is not suspended.
alter table agents add column suspended_from text check (suspended_from in ('active', 'inactive'));
