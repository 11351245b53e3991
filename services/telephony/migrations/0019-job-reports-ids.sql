-- no transaction
create unique index concurrently if not exists job_reports_ids on job_reports (job_id, epoch, seq, reported_at);
