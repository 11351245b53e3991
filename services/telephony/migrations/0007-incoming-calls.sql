-- Incoming calls. A media gateway holds the job of its call from the beginning; a lease that runs out finishes the record.
alter table jobs drop constraint jobs_kind_check, add constraint jobs_kind_check check (kind in ('call', 'inbound'));

-- What a media gateway calls its call: the same one told again is the same record.
create table inbound_calls (
  organization_id text not null,
  gateway_call_id text not null,
  call_id text not null unique,
  primary key (organization_id, gateway_call_id)
);
