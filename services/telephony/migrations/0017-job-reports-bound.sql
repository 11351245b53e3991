-- no transaction
alter table job_reports validate constraint job_reports_until;
