import { Customer } from '../customer';
import { mintsPerMinute, refusal, type World } from './world';

/** Findings A2, B5 and B6: overload caused by one customer at the expense of others. */
export function limitAttacks(world: () => World): void {
  it('B5: an organization has 20 endpoints and no 21st', async () => {
    const many = await Customer.create(world().platform);
    const home = { organization_id: many.organizationId };
    const statuses: number[] = [];
    // The customer already has one endpoint.
    for (let nth = 2; nth <= 21; nth += 1) {
      const project = await world().operator.post(`/v1/organizations/${many.organizationId}/projects`, {
        name: `p${nth}`,
      });
      const body = {
        ...home,
        project_id: project.body.project_id,
        webhook_url: many.receiver.url,
        audio_stream_url: 'wss://audio.example/',
      };
      statuses.push((await many.api.post('/v1/agent-endpoints', body)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 201), 409]);
    await many.close();
  });

  it('B6: a key has 10 event streams open and no 11th, and another key has its own', async () => {
    const [{ token }, { token: other }] = [
      await world().holding(['agents:read']),
      await world().holding(['agents:read']),
    ];
    const control = new AbortController();
    const open = async (bearer: string): Promise<number> => {
      const headers = { authorization: `Bearer ${bearer}`, accept: 'text/event-stream' };
      const answer = await fetch(`${world().platform.baseUrls[0]}/v1/events`, { headers, signal: control.signal });
      return answer.status;
    };
    const statuses: number[] = [];
    for (let nth = 1; nth <= 11; nth += 1) statuses.push(await open(token));
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect(await open(other)).toBe(200);
    control.abort();
  });

  it('V5: sessions, the keys that a key minted and their sessions open no more streams than the key', async () => {
    const root = await world().holding(['agents:read', 'api_keys:write']);
    const { organizationId: organization_id } = world().customer;
    const body = { organization_id, name: 'minted', scopes: ['agents:read'] };
    const tokenOf = async (path: string, sent: object, by = root.api): Promise<string> => {
      const made = await by.post(path, sent);
      expect(made.status).toBe(201);
      world().canaries.set(`${path} of a root ${world().canaries.size}`, String(made.body.token));
      return String(made.body.token);
    };
    const minted = await tokenOf('/v1/api-keys', body);
    const holders = [root.token, await tokenOf('/v1/sessions', {}), minted];
    holders.push(await tokenOf('/v1/sessions', {}, world().anonymous.as(minted)));
    const control = new AbortController();
    const statuses: number[] = [];
    for (let nth = 0; nth < 16; nth += 1) {
      const headers = { authorization: `Bearer ${holders[nth % 4]}`, accept: 'text/event-stream' };
      const url = `${world().platform.baseUrls[0]}/v1/events`;
      statuses.push((await fetch(url, { headers, signal: control.signal })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), ...Array.from({ length: 6 }, () => 429)]);
    control.abort();
  });

  it('A2, B6: a key creates at most as many keys a minute as the limit allows, and another key is not affected', async () => {
    const { api } = await world().holding(['api_keys:read', 'api_keys:write', 'agents:read']);
    const body = { organization_id: world().customer.organizationId, name: 'flood', scopes: ['agents:read'] };
    const asked = 2 * mintsPerMinute + 10;
    const answers = await Promise.all(Array.from({ length: asked }, () => api.post('/v1/api-keys', body)));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    // The requests may be spread over two windows if the minute changes meanwhile.
    expect(count(201)).toBeLessThanOrEqual(2 * mintsPerMinute);
    expect(count(201)).toBeGreaterThanOrEqual(mintsPerMinute);
    expect(answers.map(({ status }) => status).filter((status) => ![201, 429].includes(status))).toEqual([]);
    expect(refusal(answers.find(({ status }) => status === 429) as never)).toEqual([429, 'rate_limited']);
    const { api: another } = await world().holding(['api_keys:write', 'agents:read']);
    expect((await another.post('/v1/api-keys', body)).status).toBe(201);
  });

  it('a key with a limit of requests gets no more of them by creating sessions', async () => {
    const { organizationId } = world().customer;
    const body = { organization_id: organizationId, name: 'limited', scopes: ['agents:read'], requests_per_minute: 4 };
    const minted = await world().operator.post('/v1/api-keys', body);
    const key = world().anonymous.as(String(minted.body.token));
    const statuses: number[] = [];
    let session = key;
    for (let nth = 0; nth < 5; nth += 1) {
      const created = await session.post('/v1/sessions');
      if (created.status === 201) session = world().anonymous.as(String(created.body.token));
      statuses.push(created.status, (await session.get('/v1/agents')).status);
    }
    // The requests may be spread over two windows if the minute changes meanwhile.
    expect(statuses.filter((status) => status < 300).length).toBeLessThanOrEqual(8);
    expect(statuses).toContain(429);
  });

  it('B6: an organization that floods previews keeps no other one from hearing one', async () => {
    const preview = (customer: Customer) =>
      customer.api.post('/v1/voice-previews', {
        organization_id: customer.organizationId,
        agent_id: customer.agentId,
        text: 'Good morning.',
      });
    const flood = Array.from({ length: 12 }, () => preview(world().customer));
    const other = await preview(world().stranger);
    expect(other.status).toBe(200);
    const statuses = new Set((await Promise.all(flood)).map(({ status }) => status));
    expect([...statuses].filter((status) => ![200, 429].includes(status))).toEqual([]);
  });
}
