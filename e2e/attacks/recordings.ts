import { createHash, randomBytes } from 'node:crypto';
import { claimedJob, workerKey } from '../fuzz/resources';
import { Customer } from '../customer';
import { until } from '../until';
import { callTool } from './call-tool';
import { refusal, type World } from './world';

/** Recordings and transcripts: what keys without recordings:read get of them, and what is left after their erasure. */
export function recordingAttacks(world: () => World): void {
  let owner: Customer;
  let worker: string;
  let callId: string;
  let job: string;
  let epoch: number;
  let etag: string;
  const said = 'spoken-canary-0815';
  const placed = { variables: { ssn: 'variable-canary' }, metadata: { note: 'metadata-canary' } };
  const canaries = /spoken-canary|variable-canary|metadata-canary|\+15005550006/;

  const urlOf = (path: string): string => `${world().platform.baseUrls[0] ?? ''}${path}`;
  const putPart = async (n: number, sound: Buffer, key = worker): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' };
    const url = urlOf(`${job}/recording/parts/${n}?epoch=${epoch}`);
    return (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(sound) })).status;
  };

  beforeAll(async () => {
    const { platform, operator, anonymous } = world();
    owner = await Customer.create(platform);
    expect((await owner.api.patch(`/v1/agents/${owner.agentId}`, { recording_enabled: true })).status).toBe(200);
    worker = await workerKey(operator, owner.organizationId);
    const api = anonymous.as(worker);
    const claimed = await claimedJob(owner, api);
    ({ callId, epoch } = claimed);
    job = `/v1/worker-jobs/${claimed.jobId}`;
    const report = (seq: number, ...events: object[]) => api.post(`${job}/reports`, { epoch, seq, events });
    expect((await report(1, { type: 'dialing' }, { type: 'answered' })).status).toBe(200);
    const sound = randomBytes(64_000);
    expect(await putPart(1, sound)).toBe(200);
    const sha256 = createHash('sha256').update(sound).digest('hex');
    const whole = { epoch, parts: 1, format: 'mulaw', duration_ms: 4_000, sha256 };
    expect((await api.post(`${job}/recording/complete`, whole)).status).toBe(200);
    expect((await report(2, { type: 'ended', ended_reason: 'callee_hung_up' })).status).toBe(200);
    const transcript = { turns: [{ speaker: 'callee', text: said, started_ms: 0, ended_ms: 900 }] };
    expect(await api.post(`${job}/complete`, { epoch, transcript })).toMatchObject({ status: 200 });
    etag = await until('the recording', async () => {
      const answer = await asking(owner.key, 'GET', '/recording/audio');
      return answer.status === 200 ? (answer.headers.get('etag') ?? undefined) : undefined;
    });
    await until('the transcript', async () => (await owner.api.get(`/v1/calls/${callId}/transcript`)).status === 200);
  });
  afterAll(() => owner?.close());

  const asking = (key: string, method: string, rest: string, headers: Record<string, string> = {}) =>
    fetch(urlOf(`/v1/calls/${callId}${rest}`), { method, headers: { authorization: `Bearer ${key}`, ...headers } });

  /** Each way to ask for a recording, with what its owner gets. */
  const requests: [string, () => [string, string, Record<string, string>?], number][] = [
    ['the whole file', () => ['GET', '/recording/audio'], 200],
    ['its size', () => ['HEAD', '/recording/audio'], 200],
    ['a range', () => ['GET', '/recording/audio', { range: 'bytes=0-99' }], 206],
    ['a range of a known file', () => ['GET', '/recording/audio', { range: 'bytes=0-99', 'if-range': etag }], 206],
    ['whether it changed', () => ['GET', '/recording/audio', { 'if-none-match': etag }], 200],
    ['another format', () => ['GET', '/recording/audio?format=wav'], 200],
    ['its document', () => ['GET', '/recording'], 200],
    ['the transcript', () => ['GET', '/transcript'], 200],
    ['the live events', () => ['GET', '/live', { accept: 'text/event-stream' }], 200],
  ];
  const statusesFor = async (key: string): Promise<[string, number][]> => {
    const statuses: [string, number][] = [];
    for (const [what, request] of requests) {
      const answer = await asking(key, ...request());
      await answer.body?.cancel();
      statuses.push([what, answer.status]);
    }
    return statuses;
  };
  const all = (status: number): [string, number][] => requests.map(([what]) => [what, status]);

  it('are read by no key without recordings:read and by none of another organization, also by ranges and ETags', async () => {
    expect(await statusesFor(owner.key)).toEqual(requests.map(([what, , status]) => [what, status]));
    const narrow = ['calls:read', 'calls:write', 'agents:read', 'extractions:read', 'simulations:read'];
    const { token } = await world().holding(narrow, owner.organizationId);
    expect(await statusesFor(token)).toEqual(all(403));
    expect(await statusesFor(worker)).toEqual(all(403));
    expect(await statusesFor(world().stranger.key)).toEqual(all(404));
    expect(await statusesFor('none')).toEqual(all(401));
  });

  it('are not shown to a key without recordings:read by events, lists, deliveries or MCP', async () => {
    const { api, token } = await world().holding(
      ['calls:read', 'agents:read', 'account:read', 'simulations:read'],
      owner.organizationId,
    );
    const texts = [
      `/v1/calls/${callId}`,
      `/v1/calls/${callId}/events?limit=100`,
      `/v1/events?resource_id=${callId}&limit=100`,
      `/v1/organizations/${owner.organizationId}/audit-log?limit=100`,
      `/v1/agent-endpoints/${owner.endpointId}/deliveries`,
    ].map(async (path) => JSON.stringify((await api.get(path)).body));
    for (const tool of ['get_transcript', 'get_recording', 'get_call'])
      texts.push(callTool(world(), token, tool, { call_id: callId }));
    expect((await Promise.all(texts)).filter((text) => text.includes(said))).toEqual([]);
    // The search finds it where it may be read.
    expect(await callTool(world(), owner.key, 'get_transcript', { call_id: callId })).toContain(said);
    expect(JSON.stringify((await owner.api.get(`/v1/calls/${callId}/transcript`)).body)).toContain(said);
  });

  it('take no part from another worker, and none after the recording is complete', async () => {
    const foreign = await workerKey(world().operator, world().stranger.organizationId);
    const [before, sound] = [await asking(owner.key, 'GET', '/recording/audio'), randomBytes(1_600)];
    expect(await putPart(2, sound, foreign)).toBe(404);
    expect(await putPart(1, sound)).toBe(409);
    expect(await putPart(2, sound)).toBe(409);
    expect(await putPart(2, sound, owner.key)).toBe(403);
    const after = await asking(owner.key, 'GET', '/recording/audio');
    expect(Buffer.from(await after.arrayBuffer())).toEqual(Buffer.from(await before.arrayBuffer()));
  });

  it('are gone after an erasure, and no ETag, repetition, filter, delivery or part brings anything back', async () => {
    const key = { 'idempotency-key': 'erased-call' };
    const body = { agent_id: owner.agentId, to: '+15005550006', ...placed };
    const first = await owner.api.post('/v1/calls', body, key);
    const second = String(first.body.call_id);
    await owner.finished(second);
    await owner.receiver.eventOf(second, 'call.completed');
    const found = async (path: string): Promise<boolean> =>
      canaries.test(JSON.stringify((await owner.api.get(path)).body));
    const places = [
      '/v1/calls?limit=100',
      `/v1/calls/${second}`,
      `/v1/calls/${second}/events?limit=100`,
      `/v1/events?limit=100&resource_id=${second}`,
    ];
    for (const place of places) expect([place, await found(place)]).toEqual([place, true]);
    const { api: narrow } = await world().holding(
      ['calls:read', 'calls:write', 'recordings:read'],
      owner.organizationId,
    );
    expect(refusal(await narrow.delete(`/v1/calls/${callId}`))).toEqual([403, 'ForbiddenError']);
    for (const id of [callId, second]) expect((await owner.api.delete(`/v1/calls/${id}`)).status).toBe(200);
    const statuses = await statusesFor(owner.key);
    expect(statuses.filter(([what]) => what !== 'the live events')).toEqual(all(404).slice(0, -1));
    expect(await putPart(2, randomBytes(1_600))).toBe(409);
    expect((await asking(owner.key, 'GET', '/recording/audio', { 'if-none-match': etag })).status).toBe(404);
    // The event log is erased in the background.
    for (const place of places) await until(`${place} is erased`, async () => !(await found(place)));
    // Without the check of the contract: this response is not in the document.
    const repeated = await fetch(urlOf('/v1/calls'), {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { ...key, authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
    });
    const again = await repeated.text();
    expect([repeated.status, again]).toEqual([201, expect.stringContaining(second)]);
    expect(again).not.toMatch(canaries);
    for (const filter of ['to=%2B15005550006', 'metadata=note:metadata-canary']) {
      const { status, body: page } = await owner.api.get(`/v1/calls?limit=100&${filter}`);
      if (status === 200) expect([filter, JSON.stringify(page).includes(second)]).toEqual([filter, false]);
    }
    expect(JSON.stringify(await (await asking(owner.key, 'GET', '/live')).json())).not.toMatch(canaries);
    for (const tool of ['get_transcript', 'get_call'])
      expect(await callTool(world(), owner.key, tool, { call_id: callId })).not.toMatch(canaries);
  });
}
