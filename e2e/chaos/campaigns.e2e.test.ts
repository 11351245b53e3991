import { Api, type Answer } from '../api';
import { Customer } from '../customer';
import { Platform } from '../platform';
import { until } from '../until';

interface Campaign extends Record<string, unknown> {
  readonly campaign_id: string;
  readonly status: string;
  readonly statistics: {
    readonly contacts: number;
    readonly completed: number;
    readonly attempts: number;
    readonly outcomes: Readonly<Record<string, number>>;
  };
}

interface Page {
  readonly data: readonly Record<string, unknown>[];
  readonly next_cursor: string | null;
}

/** Runs a campaign with two replicas of every service; telephony and one engine are killed while it runs. */
describe('a campaign over HTTP', () => {
  let platform: Platform;
  let customer: Customer;
  let operator: Api;
  let api: Api;

  beforeAll(async () => {
    platform = await Platform.start({
      replicas: 2,
      leaseSeconds: 2,
      env: { LEASES_REAPED_AT_LEAST: '100' },
    });
    customer = await Customer.create(platform);
    ({ api } = customer);
    operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    const events = ['campaign.launched', 'campaign.contact.completed', 'campaign.completed'];
    const endpoint = await api.patch(`/v1/agent-endpoints/${customer.endpointId}`, { events });
    expect(endpoint.status).toBe(200);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  const draft = async (body: object = {}): Promise<string> => {
    const answer = await api.post<Campaign>('/v1/campaigns', { agent_id: customer.agentId, name: 'Spring', ...body });
    expect(answer.status).toBe(201);
    return answer.body.campaign_id;
  };
  const read = async (id: string): Promise<Answer<Campaign>> => api.persist((each) => each.get(`/v1/campaigns/${id}`));
  const upload = async (id: string, rows: string, headers: Record<string, string> = {}) =>
    api.request('POST', `/v1/campaigns/${id}/contacts`, {
      raw: rows,
      headers: { 'content-type': 'text/csv', ...headers },
    });

  it('POST /v1/campaigns/{campaign_id}/launch: with contacts as CSV and kill -9, all are called as the retry rule allows, and every event is published once', async () => {
    const id = await draft({
      max_concurrent: 20,
      calls_per_minute: 10_000,
      retry: { attempts: 2, delay_minutes: 0, on: ['busy', 'failed'] },
    });
    const people = Array.from({ length: 60 }, (_, n) => `+1415${600_000 + n}0,Ann ${n}`);
    const busy = '+15005550001,Bob';
    const added = await upload(id, ['to,name', ...people, busy, 'unknown,Cy', people[0], ''].join('\n'));
    expect([added.status, added.body]).toMatchObject([
      201,
      { status: 'completed', rows: 63, added: 61, duplicates: 1, rejected: 1, faults: [{ line: 63 }] },
    ]);
    expect((await api.post(`/v1/campaigns/${id}/launch`)).status).toBe(200);
    await until('somebody is called', async () => (await read(id)).body.statistics.attempts > 5);
    await platform.kill('telephony');
    await platform.kill('engine', 1);
    const done = await until('the campaign is completed', async () => {
      const { body } = await read(id);
      return body.status === 'completed' ? body : undefined;
    });
    const { outcomes } = done.statistics;
    expect(done.statistics).toMatchObject({ contacts: 61, completed: 61 });
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(61);
    const dialed = new Map<string, number>();
    for (let cursor = ''; ;) {
      const page = (await api.get<Page>(`/v1/calls?limit=100${cursor}`)).body;
      for (const { to, dialing_at } of page.data) {
        if (dialing_at !== null) dialed.set(String(to), (dialed.get(String(to)) ?? 0) + 1);
      }
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(Math.max(...dialed.values())).toBeLessThanOrEqual(2);
    expect(dialed.get('+15005550001')).toBe(2);
    const reported = await customer.receiver.story(id, 'campaign.completed');
    expect(reported.map(({ type }) => type)).toEqual(['campaign.launched', 'campaign.completed']);
    const contacts = (await api.get<Page>(`/v1/campaigns/${id}/contacts?limit=100`)).body.data;
    expect(contacts).toHaveLength(61);
    for (const { contact_id, attempts, status } of contacts) {
      expect([status, Number(attempts) <= 2]).toEqual(['completed', true]);
      const events = await until('its event is delivered', () => {
        const seen = customer.receiver.eventsOf(String(contact_id));
        return seen.length > 0 ? seen : undefined;
      });
      expect(events.map(({ type }) => type)).toEqual(['campaign.contact.completed']);
    }
  });

  it('100,000 rows as CSV: each invalid row is reported, progress can be read, and the gateway buffers only one chunk', async () => {
    const id = await draft();
    const rows = Array.from({ length: 100_000 }, (_, n) =>
      n % 1_000 === 999 ? `bad ${n},x` : `+1650${1_000_000 + n},"N ${n}"`,
    );
    const text = ['to,name', ...rows, ''].join('\n');
    const answer = upload(id, text);
    let seen = 0;
    let settled = false;
    const over = answer.then(() => (settled = true));
    while (!settled) {
      const { body } = await api.get<Page>(`/v1/campaigns/${id}/imports`);
      seen = Math.max(seen, body.data[0]?.status === 'running' ? Number(body.data[0].rows) : 0);
    }
    await over;
    const { status, body } = await answer;
    expect([status, body]).toMatchObject([201, { rows: 100_000, added: 99_900, rejected: 100, duplicates: 0 }]);
    expect(seen).toBeGreaterThan(0);
    const faults = (await api.get<Page>(`/v1/campaigns/${id}/imports/${String(body.import_id)}/faults?limit=100`)).body;
    expect(faults.data.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, n) => 1_000 * (n + 1) + 1));
    expect((await read(id)).body.statistics.contacts).toBe(99_900);
    const again = await upload(id, text, { 'idempotency-key': 'once' });
    expect(again.body).toMatchObject({ added: 0, duplicates: 99_900 });
    const replayed = await upload(id, text, { 'idempotency-key': 'once' });
    expect([replayed.headers['idempotent-replayed'], replayed.body]).toEqual(['true', again.body]);
    const other = await upload(id, `${text}+14155550199,Late\n`, { 'idempotency-key': 'once' });
    expect([other.status, other.body.error]).toEqual([409, 'ConflictError']);
  });

  it("an upload that is too large is 413, one to another organization's campaign 404, one with another encoding 415", async () => {
    const id = await draft();
    const foreign = id.slice(0, -4) + '0000';
    expect((await upload(foreign, 'to\n+14155550101\n')).status).toBe(404);
    expect((await upload(id, 'to\n+14155550101\n', { 'content-encoding': 'gzip' })).status).toBe(415);
    const large = Buffer.alloc(65 * 1024 * 1024, '+14155550101\n');
    const answer = await api.request('POST', `/v1/campaigns/${id}/contacts`, {
      raw: large,
      headers: { 'content-type': 'text/csv' },
    });
    expect([answer.status, answer.body.error]).toEqual([413, 'PayloadTooLargeError']);
  });

  it('campaigns wait: during maintenance launching and resuming are refused; creating, editing, pausing and canceling are not', async () => {
    // A day that is neither today nor tomorrow, whenever this runs: the contact must not be called.
    const day = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][(new Date().getUTCDay() + 3) % 7];
    const window = { time_zone: 'UTC', days: [day], start: '09:00', end: '10:00' };
    const contacts = [{ to: '+15005550006' }];
    const running = await draft({ contacts, window });
    expect((await api.post(`/v1/campaigns/${running}/launch`)).status).toBe(200);
    await operator.put('/v1/maintenance', { active: true, retry_after_seconds: 5 });
    await until('the window is obeyed', async () => {
      const answers = await Promise.all(platform.baseUrls.map(() => api.post(`/v1/campaigns/${running}/launch`)));
      return answers.every(({ status, body }) => status === 503 && body.error === 'platform_maintenance');
    });
    const id = await draft({ contacts });
    expect((await api.patch(`/v1/campaigns/${id}`, { name: 'Summer' })).status).toBe(200);
    expect((await api.post(`/v1/campaigns/${id}/duplicate`)).status).toBe(201);
    expect((await api.post(`/v1/campaigns/${running}/pause`)).status).toBe(200);
    expect((await api.post(`/v1/campaigns/${running}/resume`)).status).toBe(503);
    expect((await api.post(`/v1/campaigns/${running}/cancel`)).status).toBe(200);
    await operator.put('/v1/maintenance', { active: false });
  });
});
