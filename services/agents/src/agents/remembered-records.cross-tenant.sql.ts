/** Whether a record of each kind that this service creates still exists: its remembered answer is kept as long. */
export const rememberedRecords: Readonly<Record<string, string>> = {
  agt: 'exists (select 1 from agents where agent_id = idempotency.record_id)',
};
