/** Whether a record of each kind that this service creates still exists: its remembered answer is kept as long. */
export const rememberedRecords: Readonly<Record<string, string>> = {
  key: 'exists (select 1 from api_keys where key_id = idempotency.record_id)',
  org: 'exists (select 1 from organizations where organization_id = idempotency.record_id)',
  prj: 'exists (select 1 from projects where project_id = idempotency.record_id)',
};
