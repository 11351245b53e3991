import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Answer } from './api';
import { callEvents, Customer, type CallRecord } from './customer';
import { firstCallOfReadme } from './new-organization';
import { Platform } from './platform';
import { newTrace, webhookOf } from './traced-calls';
import { until } from './until';

/** The most important use case over the API: an agent is configured, published and called, and signed events arrive. */
describe('with two replicas of every service', () => {
  let platform: Platform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await Platform.shared('pair');
    customer = await Customer.create(platform);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  it('publishes the agent: the voice stack has a first version', async () => {
    const { status, body } = await customer.api.get(`/v1/agents/${customer.agentId}/voice-stack`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ voice_frontend: 'cascade', selectable: true, navigation: { enabled: null } });
    expect(body.language_profiles).toMatchObject({
      languages: ['en'],
      published_version: 1,
      published_languages: ['en'],
    });
  });

  it('conducts a call with a person to its end and reports every step in order, with signed webhooks', async () => {
    const call = await customer.call('+15005550006');
    expect(call).toMatchObject({
      status: 'queued',
      direction: 'outbound',
      to: '+15005550006',
      agent_id: customer.agentId,
    });
    const events = await customer.receiver.story(call.call_id, 'call.transcript.ready', 'call.completed');
    const types = events.map(({ type }) => type);
    expect(types.slice(0, 6)).toEqual([
      'call.created',
      'call.queued',
      'call.dialing',
      'call.answered',
      'media.started',
      'call.ended',
    ]);
    expect([...types.slice(6)].sort()).toEqual(['call.completed', 'call.transcript.ready']);
    expect(customer.receiver.rejected).toEqual([]);
    for (const event of events) {
      expect(event).toMatchObject({
        organization_id: customer.organizationId,
        project_id: customer.projectId,
        agent_id: customer.agentId,
      });
      expect(event.data).toMatchObject({ call_id: call.call_id });
    }

    const record = await customer.readCall(call.call_id);
    expect(record).toMatchObject({ status: 'completed', publication: { version: 1 } });
    expect(record.ended_reason).toEqual(expect.any(String));
    expect(record.duration_seconds).toEqual(expect.any(Number));
    const transcript = await customer.api.get<{ turns: { speaker: string; text: string }[] }>(
      `/v1/calls/${call.call_id}/transcript`,
    );
    expect(transcript.status).toBe(200);
    expect(transcript.body.turns[0]).toMatchObject({ speaker: 'agent', text: 'Good morning, how can I help?' });
    expect(transcript.body.turns.some(({ speaker }) => speaker === 'callee')).toBe(true);
    expect(transcript.body.turns.some(({ speaker }) => speaker === 'caller')).toBe(false);
  });

  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  (hasCurl ? it : it.skip)(
    "the README's first call runs as it stands, again too, and ends with the transcript and the call",
    async () => {
      const keys = platform.development;
      const { organization_id, project_id } = keys;
      const number = { organization_id, project_id, phone_number: '+15005550199', provider: 'simulator' };
      expect((await customer.api.as(keys.admin_key).post('/v1/numbers', number)).status).toBe(201);
      const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-new-user-'));
      try {
        for (const _run of [1, 2]) {
          const [stack, transcript, call, ...more] = await firstCallOfReadme(folder, keys);
          expect(more).toEqual([]);
          expect(stack).toMatchObject({ language_profiles: { published_version: 1 } });
          expect(transcript).toMatchObject({ turns: expect.any(Array), call_id: call?.call_id });
          expect(call).toMatchObject({
            agent_id: stack?.agent_id,
            to: '+15005550006',
            ended_reason: 'callee_hung_up',
          });
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it('the webhook contains the trace id of the request even if no collector is configured', async () => {
    const { traceparent } = newTrace();
    expect(await webhookOf(customer, traceparent)).toBe(traceparent);
  });

  it.each([
    ['+15005550001', 'failed', 'busy', null],
    ['+15005550002', 'failed', 'no_answer', null],
    ['+15005550004', 'failed', 'carrier_failure', null],
    ['+15005550003', 'completed', null, 'voicemail'],
    ['+15005550005', 'completed', null, 'music'],
    ['+15005550008', 'completed', null, null],
    ['+14155550100', 'completed', null, null],
  ])('a call to %s ends %s (%s, classified %s)', async (to, status, endedReason, classification) => {
    const { call_id } = await customer.call(to);
    const call = await customer.finished(call_id);
    expect(call.status).toBe(status);
    if (endedReason !== null) expect(call.ended_reason).toBe(endedReason);
    if (classification !== null) expect(call.classification).toBe(classification);
    await customer.receiver.eventOf(call_id, `call.${status}`);
  });

  it('replaying the input log of a completed call gives the same effects', async () => {
    const { call_id: callId } = await customer.call('+15005550006');
    await customer.finished(callId);
    const replay = spawnSync(process.execPath, [path.join(__dirname, '../scripts/replay.mts'), callId], {
      env: { ...process.env, PARLEY_URL: platform.baseUrls[0], PARLEY_API_KEY: customer.key },
      encoding: 'utf8',
    });
    expect(replay.stderr).toBe('');
    expect(replay.stdout).toMatch(/inputs, \d+ effects\nthe rules of this checkout decide as they did in the call\n$/);
    expect(replay.status).toBe(0);
  });

  it('concurrent requests with the same Idempotency-Key and body return the original call; another body is 409', async () => {
    const key = randomUUID();
    const body = { agent_id: customer.agentId, to: '+15005550006' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => customer.api.post<CallRecord>('/v1/calls', body, { 'idempotency-key': key })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body: call }) => call.call_id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19);
    const other = await customer.api.post('/v1/calls', { ...body, to: '+15005550001' }, { 'idempotency-key': key });
    expect([other.status, other.body.error]).toEqual([409, 'ConflictError']);
    const callId = answers[0]?.body.call_id ?? '';
    const events = await customer.receiver.story(callId, 'call.completed');
    expect(events.filter(({ type }) => type === 'call.dialing')).toHaveLength(1);
  });

  it('cancels a queued call once, and dials no one', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const { body: call } = await customer.api.post<CallRecord>('/v1/calls', {
      agent_id: customer.agentId,
      to: '+15005550006',
      scheduled_at: later,
    });
    const answers: Answer[] = await Promise.all(
      [1, 2, 3].map(() => customer.api.post(`/v1/calls/${call.call_id}/cancel`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const events = await customer.receiver.story(call.call_id, 'call.canceled');
    expect(events.map(({ type }) => type)).toEqual(['call.created', 'call.canceled']);
  });

  it('delivers again, with the same id and the same bytes, until the receiver returns 2xx', async () => {
    let refused = '';
    customer.receiver.answer = ({ event }, nth) => {
      if (event.type !== 'call.created' || nth > 1) return 200;
      refused = event.id;
      return 503;
    };
    const { call_id } = await customer.call('+15005550001');
    const attempts = await until('a second attempt', () => {
      const seen = customer.receiver.deliveries.filter(
        ({ event }) => event.resource_id === call_id && event.type === 'call.created',
      );
      return seen.length >= 2 ? seen : undefined;
    });
    customer.receiver.answer = () => 200;
    expect(new Set(attempts.map(({ webhookId }) => webhookId))).toEqual(new Set([refused]));
    expect(new Set(attempts.map(({ raw }) => raw)).size).toBe(1);
    const page = await customer.api.get<{ data: { delivery_id: string; event_id: string }[] }>(
      `/v1/agent-endpoints/${customer.endpointId}/deliveries?limit=100`,
    );
    const delivery = page.body.data.find(({ event_id }) => event_id === refused);
    const detail = await until('both attempts recorded', async () => {
      const { body } = await customer.api.get<{ attempts: { status: number }[] }>(
        `/v1/deliveries/${delivery?.delivery_id}`,
      );
      return body.attempts.length >= 2 ? body.attempts : undefined;
    });
    expect(detail.map(({ status }) => status)).toEqual([503, 200]);
  });

  it('lists records newest first, and only those of the own organization', async () => {
    const stranger = await Customer.create(platform);
    try {
      const page = await customer.api.get<{ data: CallRecord[]; next_cursor: string | null }>('/v1/calls?limit=2');
      expect(page.status).toBe(200);
      expect(page.body.data).toHaveLength(2);
      expect(page.body.next_cursor).toEqual(expect.any(String));
      const foreign = await stranger.api.get('/v1/calls');
      expect(foreign.body).toEqual({ data: [], next_cursor: null });
      const callId = page.body.data[0]?.call_id ?? '';
      const absent = await stranger.api.get(`/v1/calls/${callId.slice(0, -4)}0000`);
      const hidden = await stranger.api.get(`/v1/calls/${callId}`);
      expect([hidden.status, hidden.body]).toEqual([404, absent.body]);
    } finally {
      await stranger.close();
    }
  });

  it('has received every event type to which its endpoint subscribes', () => {
    const seen = new Set(customer.receiver.deliveries.map(({ event }) => event.type));
    expect([...seen].sort()).toEqual([...callEvents].sort());
  });
});
