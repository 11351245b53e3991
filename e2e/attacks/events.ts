import { Receiver } from '../receiver';
import { until } from '../until';
import { refusal, type World } from './world';

/** Findings A4 and B1: what a read-only key can learn about other resources, and what a revoked key still receives. */
export function eventAttacks(world: () => World): void {
  const secret = { variables: { ssn: 'SSN-canary-1' }, metadata: { note: 'metadata-canary-1' } };
  const place = async (): Promise<string> => {
    const { api, agentId } = world().customer;
    const { status, body } = await api.post(
      '/v1/calls',
      { agent_id: agentId, to: '+15005550006', ...secret },
      {
        'idempotency-key': `attack-${Math.random()}`,
      },
    );
    if (status !== 201) throw new Error(`call: ${status} ${JSON.stringify(body)}`);
    return String(body.call_id);
  };

  it.each([
    ['call.created', 'calls:read'],
    ['sms.sent', 'sms:read'],
    ['call.recording.ready', 'recordings:read'],
    ['call.transcript.ready', 'recordings:read'],
    ['campaign.completed', 'campaigns:read'],
  ])('A4: %s is refused in a filter and absent from the log without %s', async (type, scope) => {
    const { api } = await world().holding(['agents:read']);
    const { api: reader } = await world().holding(['agents:read', scope]);
    await world().customer.finished(await place());
    expect(refusal(await api.get(`/v1/events?types=${type}`))).toEqual([403, 'ForbiddenError']);
    expect((await reader.get(`/v1/events?types=${type}`)).status).toBe(200);
    const log = await api.get<{ data: { type: string }[] }>('/v1/events?limit=100');
    if (log.status !== 200) expect(refusal(log as never)).toEqual([403, 'ForbiddenError']);
    expect(JSON.stringify(log.body)).not.toMatch(/canary-1|\+15005550006/);
  });

  it.each([
    'sms.received',
    'sms.sent',
    'sms.delivery_updated',
    'sms.translation.ready',
    'sms.translation.failed',
    'call.extraction.ready',
  ])('A4: agents:write subscribes no endpoint to %s', async (type) => {
    const { api } = await world().holding(['agents:read', 'agents:write']);
    const body = {
      ...world().home,
      webhook_url: 'https://hooks.example/',
      audio_stream_url: 'wss://audio.example/',
      events: [type],
    };
    expect(refusal(await api.post('/v1/agent-endpoints', body))).toEqual([403, 'ForbiddenError']);
  });

  it('A4: an endpoint of a key without calls:read gets calls without variables, metadata and numbers', async () => {
    const { api } = await world().holding(['agents:read', 'agents:write']);
    const receiver = await Receiver.start();
    const project = await world().operator.post(`/v1/organizations/${world().customer.organizationId}/projects`, {
      name: 'A4',
    });
    const project_id = String(project.body.project_id);
    const made = await api.post('/v1/agent-endpoints', {
      organization_id: world().customer.organizationId,
      project_id,
      webhook_url: receiver.url,
      audio_stream_url: receiver.url.replace('http:', 'ws:'),
      events: ['call.created'],
    });
    expect(made.status).toBe(201);
    receiver.trust(String(made.body.secret));
    const agent = await world().customer.api.post('/v1/agents', {
      ...world().home,
      project_id,
      mode: 'hosted',
      language: 'en',
    });
    const number = { ...world().home, project_id, phone_number: '+14153000001', provider: 'simulator' };
    expect((await world().customer.api.post('/v1/numbers', number)).status).toBe(201);
    const call = await world().customer.api.post(
      '/v1/calls',
      { agent_id: agent.body.agent_id, to: '+15005550006', ...secret },
      { 'idempotency-key': 'a4-endpoint' },
    );
    expect(call.status).toBe(201);
    const event = await receiver.eventOf(String(call.body.call_id), 'call.created');
    expect(Object.keys(event.data)).not.toEqual(expect.arrayContaining(['variables']));
    expect(JSON.stringify(event)).not.toMatch(/canary-1|\+15005550006/);
    await receiver.stop();
  });

  it('B1: a stream delivers nothing of what happens a second after its key was revoked, and ends', async () => {
    const { keyId, token } = await world().holding(['agents:read', 'calls:read']);
    const before = await place();
    const answer = await fetch(`${world().platform.baseUrls[0]}/v1/events`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    });
    let text = '';
    const ended = (async () => {
      for await (const chunk of answer.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
    })();
    // The stream is open and delivers events.
    const live = await place();
    await until('the stream delivers', () => text.includes(live));
    expect([200, 200]).toEqual([answer.status, (await world().revoke(keyId)).status]);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const after = await place();
    await world().customer.finished(after);
    await ended.catch(() => undefined);
    expect(text).not.toContain(after);
    expect(before).not.toBe(after);
  });

  it('B1: claims that wait get no job of a call that was placed a second after their key was revoked', async () => {
    const { api, keyId } = await world().holding(['worker_jobs:claim', 'worker_jobs:heartbeat']);
    const claims = Array.from({ length: 20 }, (_, at) =>
      api.post<{ data?: unknown[]; jobs?: unknown[] }>('/v1/worker-jobs/claim', {
        kinds: ['call'],
        capacity: 1,
        worker_id: `attacker-${at}`,
        wait_seconds: 20,
      }),
    );
    // The requests are waiting; a claim that does not wait gets a response.
    const quick = await api.post('/v1/worker-jobs/claim', {
      kinds: ['call'],
      capacity: 1,
      worker_id: 'w',
      wait_seconds: 0,
    });
    expect(quick.status).toBe(200);
    expect((await world().revoke(keyId)).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const placed = [await place(), await place()];
    const answers = await Promise.all(claims);
    const text = JSON.stringify(answers.map(({ body }) => body));
    expect(placed.filter((callId) => text.includes(callId))).toEqual([]);
    for (const callId of placed) await world().customer.finished(callId);
  });
}
