-- Calls keep the header values of tools that they pinned before agents sealed them (ADR 44). A background job goes over the calls once, by their ids.
insert into background_cursors (name, position) values ('tool-headers', '');
