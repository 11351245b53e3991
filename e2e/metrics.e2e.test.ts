import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { parse } from 'yaml';
import { Api } from './api';
import { Customer } from './customer';
import { Platform } from './platform';
import { until } from './until';

const root = path.resolve(__dirname, '..');

/** The labels that each metric of the platform may have. A new label is a decision about cardinality. Metrics of Node and the label `le` are not checked. */
const labels: Readonly<Record<string, readonly string[]>> = {
  http_server_request_duration_seconds: ['route', 'http_request_method', 'http_response_status_code'],
  rpc_server_call_duration_seconds: ['rpc_method', 'code'],
  rpc_client_call_duration_seconds: ['rpc_method', 'code'],
  parley_postgresql_pool_connections: ['state'],
  parley_outbox_unpublished_events: [],
  parley_outbox_oldest_unpublished_seconds: [],
  parley_outbox_published_events_total: [],
  parley_outbox_publish_failures_total: [],
  parley_outbox_republished_events_total: [],
  parley_consumer_pending_events: [],
  parley_consumer_unacknowledged_events: [],
  parley_consumer_missing_events_total: [],
  parley_consumer_restarts_total: ['reason'],
  parley_certificate_not_after_seconds: [],
  parley_degraded: ['dependency'],
  parley_background_task_failing_seconds: ['task'],
  parley_background_task_failures_total: ['task'],
  parley_vault_old_keys_in_use: [],
  parley_reaped_leases_total: [],
  parley_reaper_open: [],
  parley_recording_parts_rejected_total: ['reason'],
  parley_reaps_deferred_total: [],
  parley_postgresql_database_bytes: [],
  parley_postgresql_transaction_id_age: [],
  parley_postgresql_slot_retained_bytes: [],
  parley_postgresql_oldest_snapshot_seconds: [],
  parley_postgresql_oldest_snapshot_transactions: [],
  parley_partition_maintenance_failures_total: ['table'],
  parley_partitions_ahead: ['table'],
  parley_partitions_overdue: ['table'],
  parley_consumer_oldest_pending_seconds: [],
  parley_dead_letter_events: [],
  parley_dead_letter_oldest_seconds: [],
  parley_call_jobs_queued: [],
  parley_call_jobs_runnable: [],
  parley_call_jobs_oldest_runnable_seconds: [],
  parley_call_jobs_leased: [],
  parley_call_jobs_expired_leases: [],
  parley_oldest_erasure_seconds: [],
  parley_failed_erasures: [],
  parley_retention_failing_seconds: [],
  parley_webhook_attempt_duration_seconds: ['outcome'],
  parley_webhook_first_attempt_delay_seconds: [],
  parley_webhook_endpoints_parked_total: [],
  parley_webhook_leased_endpoints: ['health'],
  parley_webhook_attempts_in_flight: ['health'],
  parley_webhook_due_endpoints: [],
  parley_webhook_oldest_due_endpoint_seconds: [],
  parley_webhook_expired_leases: [],
  parley_publications_blocked_total: ['code'],
  parley_knowledge_documents_processed_total: ['result'],
  parley_knowledge_embedded_chunks_total: [],
  parley_knowledge_embedding_failures_total: ['code'],
  parley_knowledge_embedding_tokens_total: [],
  parley_knowledge_questions_total: ['ranking', 'failure'],
  parley_engine_live_calls: [],
  parley_engine_call_capacity: [],
  parley_engine_ignored_messages_total: [],
  parley_media_step_lateness_seconds: [],
};

/** Allowed names besides `parley_…`: OpenTelemetry's semantic conventions, and Node metrics of prom-client. */
const standardNames = new Set([
  'http_server_request_duration_seconds',
  'rpc_server_call_duration_seconds',
  'rpc_client_call_duration_seconds',
]);
const ofNode = /^(nodejs|process)_/;

interface Series {
  readonly process: string;
  /** The name without _bucket, _sum and _count. */
  readonly metric: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

function parseMetrics(process: string, text: string): Series[] {
  return text.split('\n').flatMap((line) => {
    const [, name, inner = '', value] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...inner.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, key = '', text = '']) => [key, text] as const,
    );
    return [
      { process, metric: name.replace(/_(bucket|sum|count)$/, ''), labels: new Map(pairs), value: Number(value) },
    ];
  });
}

describe('metrics of the whole platform', () => {
  let platform: Platform;
  let customer: Customer;

  beforeAll(async () => {
    // One call at a time in real time: the last test fills the engine.
    platform = await Platform.start({ env: { ENGINE_CAPACITY: '1' } });
    customer = await Customer.create(platform, { pace: 'real_time' });
  });
  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  async function scrape(): Promise<Series[]> {
    const scraped = platform.processes.flatMap(({ name, health_port: port }) =>
      port === undefined ? [] : [{ name, port }],
    );
    const all = await Promise.all(
      scraped.map(async ({ name, port }) => {
        const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
        expect(answer.status).toBe(200);
        return parseMetrics(name, await answer.text());
      }),
    );
    return all.flat();
  }

  /** If a server does not respond in time, a scrape lacks its metrics, so this waits for a complete one. */
  const wholeScrape = () =>
    until('a scrape with every metric', async () => {
      const series = await scrape();
      const there = new Set(series.map(({ metric }) => metric));
      return Object.keys(labels).every((metric) => there.has(metric)) ? series : undefined;
    });

  const sum = (series: readonly Series[], metric: string): number =>
    series.filter((one) => one.metric === metric).reduce((total, { value }) => total + value, 0);

  const ours = (series: readonly Series[]): Series[] => series.filter(({ metric }) => !ofNode.test(metric));

  it('parley_engine_live_calls and parley_call_jobs_leased count a call, and return to zero after it', async () => {
    // It rings for half a minute, long enough to be observed.
    const placed = await customer.api.post('/v1/calls', { agent_id: customer.agentId, to: '+15005550002' });
    expect(placed.status).toBe(201);
    await until('the call counts as live', async () => {
      const series = await scrape();
      return sum(series, 'parley_engine_live_calls') === 1 && sum(series, 'parley_call_jobs_leased') === 1;
    });
    await customer.api.post(`/v1/calls/${String(placed.body.call_id)}/cancel`, {});
    await until('nothing is live', async () => {
      const series = await scrape();
      return sum(series, 'parley_engine_live_calls') === 0 && sum(series, 'parley_call_jobs_leased') === 0;
    });
    await until('every event is published', async () => {
      const series = await scrape();
      return (
        sum(series, 'parley_outbox_unpublished_events') === 0 && sum(series, 'parley_outbox_published_events_total') > 0
      );
    });
    await until('an attempt was made', async () => sum(await scrape(), 'parley_webhook_attempt_duration_seconds') > 0);
  });

  it('at rest every process has at most two connections to PostgreSQL', async () => {
    const [database, locker] = [0, 1].map(() => new pg.Client({ connectionString: platform.databaseUrl })) as [
      pg.Client,
      pg.Client,
    ];
    await Promise.all([database.connect(), locker.connect()]);
    try {
      const open = async () => {
        const { rows } = await database.query<{ service: string; connections: number; latest: Date }>(
          `select application_name as service, count(*)::int as connections, max(query_start) as latest
           from pg_stat_activity where usename like 'parley\\_%' group by application_name`,
        );
        return rows;
      };
      const isMany = ({ connections }: { connections: number }): boolean => connections > 2;
      // Requests that wait for a lock need more, which proves that they are counted.
      await locker.query('begin');
      await locker.query('lock table telephony.calls in access exclusive mode');
      const requests = [1, 2, 3, 4].map((limit) => customer.api.get(`/v1/calls?limit=${limit}`));
      await until('requests have opened a third connection', async () => (await open()).some(isMany));
      await locker.query('rollback');
      for (const { status } of await Promise.all(requests)) expect(status).toBe(200);
      // Background tasks of telephony, which has most of them, were seen meanwhile at different times.
      let seen = new Set<string>();
      await until('200 statements of telephony were seen, and no process had a third connection', async () => {
        const processes = await open();
        if (processes.some(isMany)) seen = new Set();
        const telephony = processes.find(({ service }) => service === 'telephony');
        if (telephony !== undefined) seen.add(telephony.latest.toISOString());
        return seen.size >= 200 && processes.length >= 6;
      });
    } finally {
      await Promise.all([database.end(), locker.end()]);
    }
  });

  it('parley_publications_blocked_total counts refused publications by their first blocker', async () => {
    const refused = await customer.api.patch(`/v1/agents/${customer.agentId}/voice-stack`, { languages: ['tlh'] });
    expect(refused.status).toBe(400);
    const counted = (await scrape()).filter(({ metric }) => metric === 'parley_publications_blocked_total');
    expect(counted.map(({ labels: carried, value }) => [carried.get('code'), value])).toEqual([
      [refused.body.reason, 1],
    ]);
  });

  it('time series have only the listed labels', async () => {
    const found = new Map<string, Set<string>>();
    for (const { metric, labels: carried } of ours(await wholeScrape())) {
      const names = found.get(metric) ?? new Set();
      for (const name of carried.keys()) if (name !== 'le' && name !== 'service') names.add(name);
      found.set(metric, names);
    }
    expect(Object.fromEntries([...found].map(([metric, names]) => [metric, [...names].sort()]).sort())).toEqual(
      Object.fromEntries(
        Object.entries(labels)
          .map(([metric, names]) => [metric, [...names].sort()] as const)
          .sort(),
      ),
    );
  });

  it('every metric has the prefix parley_, or a name of OpenTelemetry or prom-client', async () => {
    const names = new Set(ours(await wholeScrape()).map(({ metric }) => metric));
    expect([...names].filter((name) => !name.startsWith('parley_') && !standardNames.has(name))).toEqual([]);
  });

  it('unknown ids, paths and methods create no new time series', async () => {
    const ask = async () => {
      const id = randomUUID();
      await customer.api.get(`/v1/calls/call_${id}`);
      await customer.api.get(`/v1/${id}`);
      await customer.api.request('GET', `/v1/agents/${id}?x=${id}`);
      await fetch(`${platform.baseUrls[0] ?? ''}/v1/agents`, { headers: { authorization: `Bearer tai_${id}` } });
      await fetch(`${platform.baseUrls[0] ?? ''}/${id}`, { method: 'PROPFIND' });
    };
    await ask();
    const key = ({ process, metric, labels: carried }: Series) =>
      `${process} ${metric} ${[...carried].map((pair) => pair.join('=')).join(' ')}`;
    // Only the metric for requests, because attempts and polls continue.
    const edge = async () =>
      (await scrape())
        .filter(({ metric }) => metric === 'http_server_request_duration_seconds')
        .map(key)
        .sort();
    const before = await edge();
    for (let turn = 0; turn < 20; turn += 1) await ask();
    expect(await edge()).toEqual(before);
    for (const one of ours(await scrape())) expect(key(one)).not.toMatch(/[0-9a-f]{8}-|[0-9a-f]{12}|_[0-9A-Za-z]{16}/);
  });

  it('every service with a database measures its PostgreSQL server, because each can have its own', async () => {
    const measured = (await wholeScrape()).filter(
      ({ metric, value }) => metric === 'parley_postgresql_database_bytes' && value > 0,
    );
    const services = ['agents', 'auth', 'insights', 'knowledge', 'telephony', 'voice-stack', 'webhooks'];
    expect([...new Set(measured.map(({ process }) => process))].sort()).toEqual(services);
  });

  it('every metric exists that is used by an alert, an objective or the autoscaler of engines', async () => {
    const there = new Set((await wholeScrape()).map(({ metric }) => metric));
    const alerts = parse(readFileSync(path.join(root, 'charts/parley/files/alerts.yaml'), 'utf8')) as {
      groups: { rules: { alert: string; expr: string }[] }[];
    };
    const page = readFileSync(path.join(root, 'docs/operating.md'), 'utf8');
    const scaling = readFileSync(path.join(root, 'charts/parley/templates/scaledobject.yaml'), 'utf8');
    const queries = [
      ...[...scaling.matchAll(/query: (.*)/g)].map(([, query = '']) => query),
      ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
      ...[...page.matchAll(/`([^`\n]*\{[^`\n]*\}[^`\n]*|[^`\n]*\([^`\n]*\[\d+[a-z]\][^`\n]*)`/g)].map(
        ([, query = '']) => query,
      ),
    ];
    // After label matchers and groupings were removed, every remaining name with an underscore that is not a function is a metric.
    const asked = queries.flatMap(
      (query) =>
        query
          .replace(/\{[^}]*\}/g, '')
          .replace(/\b(?:by|on) ?\([^)]*\)/g, '')
          .match(/\b[a-z]+_[a-z_]+\b(?! ?\()/g) ?? [],
    );
    expect(asked.length).toBeGreaterThan(8);
    // The platform does not measure volumes; a cluster's kubelets do.
    const own = asked.filter((name) => !name.startsWith('kubelet_volume_stats_'));
    const missing = own.map((name) => name.replace(/_(bucket|sum|count)$/, '')).filter((name) => !there.has(name));
    expect(missing).toEqual([]);
  });

  it('POST /v1/calls: priority has one of three values, and workers get the calls in this order', async () => {
    const { organizationId, agentId } = customer;
    const operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    const signal = (name: NodeJS.Signals): void => {
      for (const { name: program, pid } of platform.processes) if (program === 'engine') process.kill(pid, name);
    };
    const place = (body: object) => customer.api.post('/v1/calls', { agent_id: agentId, to: '+15005550006', ...body });
    const { body: numbers } = await customer.api.get<{ data: { number_id: string; project_id: string }[] }>(
      '/v1/numbers',
    );
    const number = numbers.data.find(({ project_id }) => project_id === customer.projectId);
    const dialedBy = async (dialer: string): Promise<void> => {
      expect((await customer.api.patch(`/v1/numbers/${number?.number_id ?? ''}`, { dialer })).status).toBe(200);
    };
    const claim = async () => {
      const body = { organization_id: organizationId, kinds: ['call'], capacity: 1, worker_id: 'tester' };
      const { status, body: answer } = await operator.post<{ jobs: { call: { call_id: string } }[] }>(
        '/v1/worker-jobs/claim',
        body,
      );
      expect(status).toBe(200);
      return answer.jobs.map(({ call }) => call.call_id);
    };
    // A full engine claims no jobs; once stopped, it stays full.
    expect((await place({ to: '+15005550008' })).status).toBe(201);
    await until('the engine is full', async () => sum(await scrape(), 'parley_engine_live_calls') === 1);
    signal('SIGSTOP');
    try {
      for (const priority of ['', 'High', 'highest', 'urgent', 0, 1, true, null, ['high'], {}]) {
        const { status, body } = await place({ priority });
        expect([priority, status, body.error]).toEqual([priority, 400, 'BadRequestError']);
        expect(body.message).toContain('priority');
      }
      // A worker with an organization's key gets calls only if the organization's dialer is set to `own`.
      expect(await claim()).toEqual([]);
      await dialedBy('own');
      const ids = new Map<string, string[]>([
        ['high', []],
        ['normal', []],
        ['low', []],
      ]);
      for (const priority of ['low', undefined, 'high', 'normal', 'low', 'high', undefined]) {
        const { status, body } = await place(priority === undefined ? {} : { priority });
        expect(status).toBe(201);
        ids.get(priority ?? 'normal')?.push(String(body.call_id));
      }
      const order: string[] = [];
      for (let turn = 0; turn < 8; turn += 1) order.push(...(await claim()));
      expect(order).toEqual([...ids.values()].flat());
    } finally {
      await dialedBy('hosted');
      signal('SIGCONT');
    }
  });
});
