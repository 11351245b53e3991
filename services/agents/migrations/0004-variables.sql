-- The variables that a call is held against: VariablesConfig as JSON text; null where the agent declares none. Beside the
-- document, because admission reads it for every call.
alter table agents add column variables text;
