-- Which carriers there are is declared in code (libs/contract/src/carriers): a new one needs no migration.
alter table numbers drop constraint numbers_provider_check;
alter table messages drop constraint messages_provider_check;
alter table carrier_credentials drop constraint carrier_credentials_provider_check;
