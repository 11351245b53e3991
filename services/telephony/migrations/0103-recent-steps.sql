-- Recent admissions by second and by minute in a shorter format than `recent` (200 instead of 1,900 characters at several calls a second; velocity.rules.ts):
-- the counter row is written several times for each call, and the length of a row decides how many of its versions a page has room for. `recent` remains for
-- the previous release, which cannot read the new format; it is read while `recent_steps` is empty.
alter table organization_controls add column recent_steps text not null default '';
alter table campaigns add column recent_steps text not null default '';
