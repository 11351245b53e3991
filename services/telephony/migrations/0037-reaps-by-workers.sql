-- The bound of a minute is kept for the hosted workers and for each organization's own ones apart (ADR 0043). Empty: hosted workers.
alter table lease_reaps add column workers_of text not null default '';
