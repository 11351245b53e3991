-- What a recording's parts are made into once its call is over: one file, after which the parts are deleted. An object of the store that is no part has a row here, which is
-- written before its bytes and deleted after them.

create table recording_files (
  -- With the ending of its format: the last part of the object's name.
  file_id text primary key,
  call_id text not null references recording_uploads,
  organization_id text not null,
  -- Who makes it renews this; where it is over, someone else may begin another file, and this one is deleted unless it is the recording.
  leased_until timestamptz not null
);
create index recording_files_of_call on recording_files (call_id);

alter table recording_uploads
  add column file_id text,
  add column file_format text check (file_format in ('ogg', 'wav')),
  add column file_bytes integer,
  add column file_sha256 text,
  add constraint recording_uploads_file check (
    (file_id is null) = (file_format is null) and (file_id is null) = (file_bytes is null) and (file_id is null) = (file_sha256 is null));

-- Those that can be read from their parts alone: of the release before this one, and those for whose file the store had no room.
create index recording_uploads_unfiled on recording_uploads (retry_at) where state = 'ready' and file_id is null;
