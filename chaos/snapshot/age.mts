import type pg from 'pg';

/** The updates per call to the rows that are written most by calls, counted in calls of this repository's engine (docs/capacity.md). */
export const updatesOfCall = {
  /** A call of three minutes, whose lease is renewed every five seconds. */
  leases: 36,
  /** Updates of the organization's row: admission, claim and end. */
  controls: 3,
  /** Updates of the statistics of an hour: the end of a call and its latencies. */
  rollups: 2,
} as const;

/** The number of calls in progress at once. Their jobs are updated in turn, as by heartbeats. */
const live = 1_000;

/**
 * How many batches of events the consumers handle each second: the relay publishes every 50 ms. Each batch updates the position of its consumer, and the head of
 * the event log.
 */
const batchesPerSecond = 20;

/** How often a claim updates the organization's queue, if no other organization has waiting calls. */
const servedSeconds = 5;

/** How often a process takes a running campaign. */
const keptSeconds = 5;

/** For how long the snapshot is held, and so the time in which the platform would make these updates. */
export const ageSeconds = Number(process.env.SNAPSHOT_MINUTES ?? 30) * 60;

/**
 * Leaves the same row versions in telephony's queue and other frequently updated rows as this many calls of one organization in `ageSeconds`: of jobs that
 * waited, were leased, renewed their lease and ended, and of the organization's rows. Uses SQL, because the platform would need hours. Each update changes the
 * same columns, and so the same indexes, as the service's own statements, with times that are spread over `ageSeconds`.
 */
export async function ageTelephony(db: pg.Client, organizationId: string, calls: number): Promise<void> {
  const { rows } = await db.query<{ first: string }>(
    `select coalesce(max(substr(job_id, 10)::bigint), 0) as first from telephony.jobs where job_id like 'job\\_aged%'`,
  );
  const first = Number(rows[0]?.first);
  for (let from = first; from < first + calls; from += live) {
    const to = Math.min(from + live, first + calls);
    const id = (prefix: string): string => `'${prefix}' || lpad(n::text, 20, '0')`;
    const range = `job_id between 'job_aged' || lpad(${from + 1}::text, 20, '0') and 'job_aged' || lpad(${to}::text, 20, '0')`;
    const at = `clock_timestamp() - interval '${Math.round(ageSeconds * (1 - (to - first) / calls))} seconds'`;
    await db.query(
      // No worker can claim these jobs: the next statement leases them to a worker that does not exist.
      `begin; insert into telephony.jobs (organization_id, job_id, call_id, agent_id, kind, available_at, dialer)
       select '${organizationId}', ${id('job_aged')}, ${id('call_aged')}, 'agt_aged', 'call', ${at}, 'hosted'
       from generate_series(${from + 1}, ${to}) n;
       update telephony.jobs set state = 'leased', epoch = epoch + 1, worker_id = 'aged',
         lease_expires_at = clock_timestamp() + interval '15 seconds' where ${range}; commit`,
    );
    for (let beat = 0; beat < updatesOfCall.leases; beat += 1) {
      await db.query(
        `update telephony.jobs set lease_expires_at = clock_timestamp() + interval '15 seconds' where ${range}`,
      );
    }
    await db.query(
      `update telephony.jobs set state = 'done', lease_expires_at = null, finished_at = clock_timestamp() where ${range}`,
    );
  }
  // The counts of recent calls (velocity.rules.ts) are a large part of the organization's row.
  await db.query(`update telephony.organization_controls set recent = $1 where organization_id = $2`, [
    recentSteps,
    organizationId,
  ]);
  const { controls, rollups } = updatesOfCall;
  const own = `organization_id = '${organizationId}'`;
  await ageRow(db, 'telephony.organization_controls', 'revision = revision + 1', own, controls * calls);
  // The platform deletes an idle queue; a platform under load would not.
  const queue = `insert into telephony.organization_queues (organization_id) values ('${organizationId}') on conflict do nothing;`;
  const served = `last_served_at = clock_timestamp() - make_interval(secs => :ago)`;
  await ageRow(db, 'telephony.organization_queues', served, own, ageSeconds / servedSeconds, { before: queue });
  await ageRow(db, 'telephony.call_rollups', 'calls = calls + 1', own, rollups * calls, {
    order: 'order by calls desc',
  });
  await ageDue(db, organizationId, calls);
}

/**
 * Leaves the index entries of as many lines at a carrier and messages, which were due in `ageSeconds` and are over, and of a campaign
 * that was taken every five seconds.
 */
async function ageDue(db: pg.Client, organizationId: string, calls: number): Promise<void> {
  const id = `'aged' || lpad(n::text, 20, '0')`;
  const due = `clock_timestamp() - make_interval(secs => ${ageSeconds} * (1 - n / ${calls}.0))`;
  const each = `from generate_series(1, ${calls}) n`;
  await db.query(
    `insert into telephony.carrier_lines (organization_id, call_id, job_id, provider, account_sid, state, reserved, ring_until, check_at)
     select '${organizationId}', ${id}, ${id}, 'twilio', 'aged', 'ringing', false, ${due}, ${due} ${each};
     update telephony.carrier_lines set state = 'answered', check_at = check_at + interval '20 seconds' where account_sid = 'aged';
     delete from telephony.carrier_lines where account_sid = 'aged';
     insert into telephony.message_jobs (organization_id, message_id, agent_id, due_at) select '${organizationId}', ${id}, 'agt_aged', ${due} ${each};
     update telephony.message_jobs set state = 'sending', due_at = due_at + interval '60 seconds' where agent_id = 'agt_aged';
     delete from telephony.message_jobs where agent_id = 'agt_aged'`,
  );
  const campaign = `insert into telephony.campaigns (campaign_id, organization_id, project_id, agent_id, name, from_number, settings, status, created_at, updated_at)
    values ('cmp_aged', '${organizationId}', 'prj_aged', 'agt_aged', 'aged', '', '{}', 'canceled', now(), now()) on conflict do nothing;`;
  const own = `campaign_id = 'cmp_aged'`;
  const taken = 'next_run_at = clock_timestamp() - make_interval(secs => :ago)';
  await ageRow(db, 'telephony.campaigns', taken, own, ageSeconds / keptSeconds, { before: campaign });
  await db.query(`delete from telephony.campaigns where ${own}`);
}

/**
 * Leaves the row versions of the events of `ageSeconds` of one organization in the rows that each batch of events updates.
 * @param scale 1: all of them
 */
export async function ageConsumers(db: pg.Client, organizationId: string, scale: number): Promise<void> {
  const batches = Math.round(ageSeconds * batchesPerSecond * scale);
  await ageRow(db, 'webhooks.event_heads', 'last_seq = last_seq', `organization_id = '${organizationId}'`, batches);
  for (const schema of ['webhooks', 'insights'])
    await ageRow(db, `${schema}.stream_memory`, 'stream_seq = stream_seq', `stream = 'EVENTS'`, batches);
}

/** As many characters as the platform needs for the counts of the last 61 seconds and minutes with several calls a second. It counts no call. */
const recentSteps = `${'A'.repeat(66)};${'A'.repeat(130)}`;

/**
 * Updates a row this many times. It is found by its physical location (ctid), because a look-up by key would visit all earlier versions.
 * @param condition finds the row
 * @param change `:ago` in it is the age of the update in seconds
 * @param order which row is updated, if the organization has several
 * @param before a statement that is executed before each 500 updates
 */
async function ageRow(
  db: pg.Client,
  table: string,
  change: string,
  condition: string,
  times: number,
  { before = '', order = '' } = {},
): Promise<void> {
  const step = 500;
  for (let done = 0; done < times; done += step) {
    const ago = `(${ageSeconds} * (1 - (${done} + n) / ${times}.0))`;
    await db.query(`do $$ declare at tid; begin ${before}
      select ctid into at from ${table} where ${condition} ${order} limit 1 for update;
      for n in 1..${Math.min(step, Math.ceil(times - done))} loop
        update ${table} set ${change.replaceAll(':ago', ago)} where ctid = at returning ctid into at;
      end loop; end $$`);
  }
}

/** The row versions that vacuum still has to remove, for the tables with most of them. */
export async function deadRows(db: pg.Client): Promise<object[]> {
  const { rows } = await db.query<object>(
    `select schemaname || '.' || relname as table, n_live_tup::int as live, n_dead_tup::int as dead,
       round(pg_total_relation_size(relid) / 1e6)::int as mb,
       case when n_tup_upd > 0 then round(n_tup_hot_upd::numeric / n_tup_upd, 2)::float8 end as hot
     from pg_stat_user_tables order by n_dead_tup desc limit 12`,
  );
  return rows;
}
