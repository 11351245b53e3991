/** Whether a record of each kind that this service creates still exists: its remembered answer is kept as long. */
export const rememberedRecords: Readonly<Record<string, string>> = {
  ep: 'exists (select 1 from endpoints where id = idempotency.record_id and deleted_at is null)',
};
