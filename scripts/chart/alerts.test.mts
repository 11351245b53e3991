import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { chart } from './render.mts';

const file = path.join(chart, 'files/alerts.yaml');
const { groups } = parse(readFileSync(file, 'utf8')) as {
  groups: { name: string; rules: { alert: string; expr: string; labels: { severity: string } }[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);

await test('every alert has a runbook under its name, and every runbook an alert', () => {
  const page = readFileSync(path.resolve(chart, '../../docs/runbooks.md'), 'utf8');
  const sections = [...page.matchAll(/^## (\S+)$/gm)].map(([, name]) => name);
  assert.deepEqual(sections.sort(), alerts.map(({ alert }) => alert.toLowerCase()).sort());
});

await test('every alert says whom it wakes', () => {
  for (const { alert, labels } of alerts) assert.ok(['page', 'ticket'].includes(labels.severity), alert);
});

interface Case {
  /** Input that fires the alert. */
  readonly series: Readonly<Record<string, string>>;
  /** Input just below the threshold. */
  readonly quiet: Readonly<Record<string, string>>;
  readonly at: string;
}

const requests = (status: string, perMinute: number, route = 'create-call') => ({
  [`http_server_request_duration_seconds_count{route="${route}",http_request_method="POST",http_response_status_code="${status}"}`]: `0+${perMinute}x60`,
});

const scraped = (...services: string[]) =>
  Object.fromEntries(services.map((service) => [`process_start_time_seconds{service="${service}"}`, '1x60']));

const volume = 'namespace="voice",persistentvolumeclaim="data-postgresql-0"';

/** For each alert, an input that fires it and one just below the threshold. */
const cases: Readonly<Record<string, Case>> = {
  ParleyErrors: {
    series: { ...requests('200', 100), ...requests('500', 2) },
    quiet: { ...requests('200', 100), ...requests('500', 1) },
    at: '30m',
  },
  ParleyUnavailable: {
    series: { ...requests('200', 100), ...requests('503', 6) },
    quiet: { ...requests('200', 100), ...requests('503', 5) },
    at: '30m',
  },
  ParleyDegraded: {
    series: { 'parley_degraded{service="auth",dependency="nats"}': '1x60' },
    quiet: { 'parley_degraded{service="auth",dependency="nats"}': '0x60' },
    at: '10m',
  },
  ParleySlow: {
    series: {
      'http_server_request_duration_seconds_bucket{route="get-call",le="1"}': '0+98x60',
      'http_server_request_duration_seconds_bucket{route="get-call",le="+Inf"}': '0+100x60',
      'http_server_request_duration_seconds_bucket{route="get-call",le="2.5"}': '0+100x60',
    },
    quiet: {
      'http_server_request_duration_seconds_bucket{route="get-call",le="1"}': '0+100x60',
      'http_server_request_duration_seconds_bucket{route="get-call",le="+Inf"}': '0+100x60',
      'http_server_request_duration_seconds_bucket{route="claim-worker-jobs",le="1"}': '0+0x60',
      'http_server_request_duration_seconds_bucket{route="claim-worker-jobs",le="5"}': '0+100x60',
      'http_server_request_duration_seconds_bucket{route="claim-worker-jobs",le="+Inf"}': '0+100x60',
    },
    at: '40m',
  },
  ParleyPoolExhausted: {
    series: { 'parley_postgresql_pool_connections{state="waiting"}': '1x60' },
    quiet: {
      'parley_postgresql_pool_connections{state="waiting"}': '1 1 1 0 1 1 1 0 1 1 1 0 1 1 1 0 1 1 1 0 1 1 1 0 1 1 1 0',
    },
    at: '25m',
  },
  ParleyServiceAbsent: {
    series: scraped('gateway', 'auth', 'agents', 'voice-stack', 'knowledge', 'telephony', 'webhooks'),
    quiet: scraped('gateway', 'auth', 'agents', 'voice-stack', 'knowledge', 'telephony', 'webhooks', 'insights'),
    at: '10m',
  },
  ParleyMetricsAbsent: {
    series: {
      'parley_outbox_oldest_unpublished_seconds{service="telephony"}': '0x60',
      parley_call_jobs_oldest_runnable_seconds: '0x60',
    },
    quiet: {
      'parley_outbox_oldest_unpublished_seconds{service="telephony"}': '0x60',
      parley_call_jobs_oldest_runnable_seconds: '0x60',
      parley_webhook_oldest_due_endpoint_seconds: '0x60',
    },
    at: '10m',
  },
  ParleyBackgroundTasksFail: {
    series: { 'parley_background_task_failures_total{service="webhooks",task="housekeeping"}': '0+1x60' },
    quiet: { 'parley_background_task_failures_total{service="webhooks",task="housekeeping"}': '0+0.5x60' },
    at: '40m',
  },
  ParleyOldVaultKeysNeeded: {
    series: { 'parley_vault_old_keys_in_use{service="agents"}': '1x120' },
    quiet: { 'parley_vault_old_keys_in_use{service="agents"}': '1x50 0x70' },
    at: '100m',
  },
  ParleyDatabaseGrows: {
    series: { parley_postgresql_database_bytes: '30000000000+10000000x2000' },
    quiet: { parley_postgresql_database_bytes: '30000000000+4000000x2000' },
    at: '1700m',
  },
  ParleyVolumeFills: {
    series: {
      [`kubelet_volume_stats_available_bytes{${volume}}`]: '9000000000x60',
      [`kubelet_volume_stats_capacity_bytes{${volume}}`]: '100000000000x60',
    },
    quiet: {
      [`kubelet_volume_stats_available_bytes{${volume}}`]: '10000000000x60',
      [`kubelet_volume_stats_capacity_bytes{${volume}}`]: '100000000000x60',
    },
    at: '30m',
  },
  ParleyReplicaBehind: {
    series: { parley_postgresql_slot_retained_bytes: '10000000001x60' },
    quiet: { parley_postgresql_slot_retained_bytes: '10000000000x60' },
    at: '15m',
  },
  ParleySnapshotHeld: {
    series: {
      parley_postgresql_oldest_snapshot_seconds: '1801x60',
      parley_postgresql_oldest_snapshot_transactions: '0x60',
    },
    quiet: {
      parley_postgresql_oldest_snapshot_seconds: '1800x60',
      parley_postgresql_oldest_snapshot_transactions: '5000000x60',
    },
    at: '10m',
  },
  ParleyTransactionIdsUsed: {
    series: { parley_postgresql_transaction_id_age: '1000000001x60' },
    quiet: { parley_postgresql_transaction_id_age: '1000000000x60' },
    at: '10m',
  },
  ParleyErasuresBehind: {
    series: { parley_oldest_erasure_seconds: '86401x60' },
    quiet: { parley_oldest_erasure_seconds: '86400x60' },
    at: '10m',
  },
  ParleyCertificateExpires: {
    series: { 'parley_certificate_not_after_seconds{service="auth"}': `${7 * 86_400 + 120}x60` },
    quiet: { 'parley_certificate_not_after_seconds{service="auth"}': `${7 * 86_400 + 600}x60` },
    at: '10m',
  },
  ParleyOutboxBehind: {
    series: { 'parley_outbox_oldest_unpublished_seconds{service="telephony"}': '61x60' },
    quiet: { 'parley_outbox_oldest_unpublished_seconds{service="telephony"}': '60x60' },
    at: '10m',
  },
  ParleyEventsLost: {
    series: { parley_outbox_republished_events_total: '0 0 0 5 5 5 5 5' },
    quiet: { parley_outbox_republished_events_total: '5x60' },
    at: '5m',
  },
  ParleyConsumerBehind: {
    series: { 'parley_consumer_oldest_pending_seconds{service="webhooks"}': '61x60' },
    quiet: { 'parley_consumer_oldest_pending_seconds{service="webhooks"}': '60x60' },
    at: '10m',
  },
  ParleyConsumerRestarted: {
    series: { 'parley_consumer_restarts_total{service="webhooks",reason="end lost"}': '0 0 0 1 1 1 1 1' },
    quiet: { 'parley_consumer_restarts_total{service="webhooks",reason="end lost"}': '1x60' },
    at: '6m',
  },
  ParleyEventsMissing: {
    series: { 'parley_consumer_missing_events_total{service="webhooks"}': '0 0 0 3 3 3 3 3' },
    quiet: { 'parley_consumer_missing_events_total{service="webhooks"}': '3x60' },
    at: '6m',
  },
  ParleyPartitionsOverdue: {
    series: { 'parley_partitions_overdue{service="telephony",table="outbox"}': '1x200' },
    quiet: { 'parley_partitions_overdue{service="telephony",table="outbox"}': '1x60 0x140' },
    at: '150m',
  },
  ParleyPartitionsNotCreated: {
    series: { 'parley_partitions_ahead{service="telephony",table="outbox"}': '1x200' },
    quiet: { 'parley_partitions_ahead{service="telephony",table="outbox"}': '2x200' },
    at: '150m',
  },
  ParleyDeadLetters: {
    series: { 'parley_dead_letter_events{service="webhooks"}': '0 0 0 1 1 1 1 1' },
    quiet: { 'parley_dead_letter_events{service="webhooks"}': '0x60' },
    at: '6m',
  },
  ParleyCallJobsWait: {
    series: {
      parley_call_jobs_oldest_runnable_seconds: '61x60',
      parley_engine_live_calls: '10x60',
      parley_engine_call_capacity: '50x60',
    },
    quiet: {
      parley_call_jobs_oldest_runnable_seconds: '61x60',
      parley_engine_live_calls: '50x60',
      parley_engine_call_capacity: '50x60',
    },
    at: '10m',
  },
  ParleyEnginesFull: {
    series: { parley_engine_live_calls: '46x60', parley_engine_call_capacity: '50x60' },
    quiet: { parley_engine_live_calls: '45x60', parley_engine_call_capacity: '50x60' },
    at: '15m',
  },
  ParleyLeasesExpired: {
    series: { parley_call_jobs_expired_leases: '1x60' },
    quiet: { parley_call_jobs_expired_leases: '0x60' },
    at: '10m',
  },
  ParleyReapsDeferred: {
    series: { parley_reaps_deferred_total: '0+1x60' },
    quiet: { parley_reaps_deferred_total: '7x60' },
    at: '10m',
  },
  ParleyWorkersLost: {
    series: { parley_reaped_leases_total: '0+3x60' },
    quiet: { parley_reaped_leases_total: '0+2x60' },
    at: '10m',
  },
  ParleyRecordingPartsRejected: {
    series: { parley_recording_parts_rejected_total: '0+1x60' },
    quiet: { parley_recording_parts_rejected_total: '7x60' },
    at: '10m',
  },
  ParleyInsufficientBalance: {
    series: { ...requests('201', 94), ...requests('402', 6) },
    quiet: { ...requests('201', 95), ...requests('402', 5) },
    at: '50m',
  },
  ParleyWebhooksLate: {
    series: { parley_webhook_oldest_due_endpoint_seconds: '61x60' },
    quiet: { parley_webhook_oldest_due_endpoint_seconds: '60x60' },
    at: '10m',
  },
  ParleyEndpointsParked: {
    series: { parley_webhook_endpoints_parked_total: '0 0 0 1 1 1 1 1' },
    quiet: { parley_webhook_endpoints_parked_total: '1x60' },
    at: '6m',
  },
};

await test('every alert has figures that set it off and figures that do not', () => {
  assert.deepEqual(Object.keys(cases).sort(), alerts.map(({ alert }) => alert).sort());
});

const hasPromtool = spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0;

await test(
  'promtool: alerts fire when they should, and not a little earlier',
  { skip: hasPromtool ? false : 'no promtool on PATH' },
  () => {
    const scratch = mkdtempSync(path.join(os.tmpdir(), 'parley-alerts-'));
    try {
      execFileSync('promtool', ['check', 'rules', file], { stdio: 'pipe' });
      const one = (alertname: string, series: Readonly<Record<string, string>>, at: string, fires: boolean) => ({
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        // How many alerts are firing, with any labels and values.
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"}) or vector(0)`,
            eval_time: at,
            exp_samples: [{ labels: '{}', value: fires ? 1 : 0 }],
          },
        ],
      });
      const tests = Object.entries(cases).flatMap(([name, { series, quiet, at }]) => [
        one(name, series, at, true),
        one(name, quiet, at, false),
      ]);
      const description = path.join(scratch, 'alerts.test.yaml');
      writeFileSync(description, stringify({ rule_files: [file], evaluation_interval: '1m', tests }));
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', description], { encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
);
