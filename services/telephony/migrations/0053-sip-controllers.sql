-- Which process handles the events of an Asterisk: one at a time (ADR 92).
create table sip_controllers (
  application text primary key,
  holder text not null,
  held_until timestamptz not null
) with (fillfactor = 50);

-- A call by the channel that Asterisk reports.
create index carrier_lines_of_sip on carrier_lines (carrier_call_id) where provider = 'sip_trunk';
