-- Finds the agents whose projection was computed with another catalogue.
create index agents_by_catalogue_version on agents (catalogue_version);
