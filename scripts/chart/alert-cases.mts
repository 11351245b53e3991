/** Inputs that fire each alert of files/alerts.yaml, and inputs just below its threshold. */

export interface Case {
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

export const services: readonly string[] = [
  'gateway',
  'auth',
  'agents',
  'voice-stack',
  'knowledge',
  'telephony',
  'webhooks',
  'insights',
];

const metricsOfDatabases = [
  'parley_outbox_oldest_unpublished_seconds{service="telephony"}',
  'parley_call_jobs_oldest_runnable_seconds',
  'parley_webhook_oldest_due_endpoint_seconds',
];

const zeros = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '0x60']));

/** For each alert, an input that fires it and one just below the threshold. */
export const cases: Readonly<Record<string, Case>> = {
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
    series: scraped(...services.slice(1)),
    quiet: scraped(...services),
    at: '10m',
  },
  ParleyEnginesAbsent: {
    series: scraped(...services),
    quiet: { parley_engine_call_capacity: '50x60' },
    at: '10m',
  },
  ParleyMetricsAbsent: {
    series: zeros(metricsOfDatabases.slice(1)),
    quiet: zeros(metricsOfDatabases),
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
    series: { parley_oldest_erasure_seconds: '21601x60' },
    quiet: { parley_oldest_erasure_seconds: '21600x60' },
    at: '10m',
  },
  ParleyErasureFailed: {
    series: { parley_failed_erasures: '1x60' },
    quiet: { parley_failed_erasures: '0x60' },
    at: '10m',
  },
  ParleyRetentionFails: {
    series: { parley_retention_failing_seconds: '3601x60' },
    quiet: { parley_retention_failing_seconds: '3600x60' },
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

const failing = (seconds: number) => ({
  'parley_background_task_failing_seconds{service="webhooks",task="housekeeping"}': `${seconds}x60`,
});

/** Further conditions under which an alert fires, each without the others. */
export const conditions: readonly (readonly [string, Case])[] = [
  ...services.map((absent): readonly [string, Case] => [
    'ParleyServiceAbsent',
    { series: scraped(...services.filter((each) => each !== absent)), quiet: scraped(...services), at: '10m' },
  ]),
  ...metricsOfDatabases.map((absent): readonly [string, Case] => [
    'ParleyMetricsAbsent',
    {
      series: zeros(metricsOfDatabases.filter((each) => each !== absent)),
      quiet: zeros(metricsOfDatabases),
      at: '10m',
    },
  ]),
  ['ParleyBackgroundTasksFail', { series: failing(901), quiet: failing(900), at: '10m' }],
  [
    'ParleySnapshotHeld',
    {
      series: { parley_postgresql_oldest_snapshot_transactions: '5000001x60' },
      quiet: { parley_postgresql_oldest_snapshot_transactions: '5000000x60' },
      at: '10m',
    },
  ],
  [
    'ParleyVolumeFills',
    {
      // 100 GB of which 40 are left after eight hours, and which are full within a day, or within two.
      series: {
        [`kubelet_volume_stats_available_bytes{${volume}}`]: '64000000000-50000000x600',
        [`kubelet_volume_stats_capacity_bytes{${volume}}`]: '100000000000x600',
      },
      quiet: {
        [`kubelet_volume_stats_available_bytes{${volume}}`]: '52000000000-25000000x600',
        [`kubelet_volume_stats_capacity_bytes{${volume}}`]: '100000000000x600',
      },
      at: '480m',
    },
  ],
  [
    'ParleyCallJobsWait',
    {
      // No engine is scraped at all.
      series: { parley_call_jobs_oldest_runnable_seconds: '61x60' },
      quiet: { parley_call_jobs_oldest_runnable_seconds: '60x60' },
      at: '10m',
    },
  ],
];
