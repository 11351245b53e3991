-- A cold transfer may be handed to the SIP peer by REFER, where its trunk says so (ADR 121).
alter table sip_trunks add column cold_transfers text not null default 'bridge' check (cold_transfers in ('bridge', 'refer'));
-- The peer is asked to call the other party: there is no leg of ours.
alter table call_transfers add column by_refer boolean not null default false;
