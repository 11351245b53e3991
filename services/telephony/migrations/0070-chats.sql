-- Chats: calls without sound, which a worker claims while somebody waits for its first words (ADR 120).
alter table calls
  drop constraint calls_channel_check,
  add constraint calls_channel_check check (channel in ('phone', 'browser', 'chat')) not valid;

-- Chats that wait for a worker: they are in no lane.
create index jobs_chats on jobs (adopt_before) where state = 'adoptable' and needs @> array['carrier:chat'];
