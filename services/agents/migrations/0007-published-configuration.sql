-- What a publication was compiled from, as it was stored then (JSON text), so that it can be restored: the publication itself
-- has every default and override resolved. Empty: published before configurations were kept.
alter table agent_publications add column configuration text not null default '';
