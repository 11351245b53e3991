-- The row that each batch of events updates is found by when it was updated, as telephony's counter rows (ADR 133): while a transaction keeps an old snapshot,
-- every access by the primary key visits all versions of a row. The era is the current two seconds, counted from 1970.
alter table stream_memory add column era integer not null default 0;
create index stream_memory_by_era on stream_memory ((stream || ''), durable, era);
