/** Whether a record of each kind that this service creates still exists: its remembered answer is kept as long. */
export const rememberedRecords: Readonly<Record<string, string>> = {
  call: 'exists (select 1 from calls where call_id = idempotency.record_id)',
  num: 'exists (select 1 from numbers where number_id = idempotency.record_id)',
  cmp: 'exists (select 1 from campaigns where campaign_id = idempotency.record_id)',
  imp: 'exists (select 1 from campaign_imports where import_id = idempotency.record_id)',
  top: 'exists (select 1 from wallet_top_ups where top_up_id = idempotency.record_id)',
  era: 'exists (select 1 from erasures where erasure_id = idempotency.record_id)',
  msg: 'exists (select 1 from messages where message_id = idempotency.record_id)',
};
