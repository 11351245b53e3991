import { documentOf } from '@parley/runtime';
import { customerCaller, eventually } from '@parley/testing';
import { addNumber, claim, place, cancelCall } from './test-caller';
import { CampaignClient, CampaignWorker, claimed, runCall } from './test-campaign';
import { setControls, setPolicy, suppress } from './organization-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const numbers = (count: number, digit = 6): string[] =>
  Array.from({ length: count }, (_, n) => `+1415${200_000 + n}${digit}`);

describe('rules of campaigns', () => {
  let under: UnderTest;
  let instance: Instance;
  let other: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    instance = await under.start({ workerLeaseSeconds: 300 });
    other = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());
  afterEach(() => {
    under.fakes.control.maintenance = false;
    under.fakes.control.epoch += 1;
  });

  const maintenance = (active: boolean): void => {
    under.fakes.control.maintenance = active;
    under.fakes.control.epoch += 1;
  };

  async function prepared(change: Parameters<UnderTest['fakes']['addAgent']>[0] = {}): Promise<CampaignClient> {
    const agent = under.fakes.addAgent(change);
    await addNumber(instance, agent);
    return new CampaignClient(instance, agent);
  }

  const policy = (client: CampaignClient, body: object) => setPolicy(instance, client.agent.organizationId, body);

  describe('reviews', () => {
    const held = { consent_required: { mode: 'enforce', action: 'review' } };

    it('POST /v1/campaigns/{campaign_id}/reviews/{attempt_id}/resolve: an approved call is dialed, a rejected one is not, each is resolved once', async () => {
      const client = await prepared();
      await policy(client, held);
      const { campaign_id: id } = await client.launched(numbers(3), { max_concurrent: 1 });
      // A call that waits for a review does not count against the concurrency limit.
      await client.until(id, ({ statistics }) => statistics.in_review === 3 && statistics.live === 0);
      const [first, second, third] = await client.attempts(id, { status: 'review' });
      if (first === undefined || second === undefined || third === undefined) throw new Error('three wait');
      const tries = await Promise.allSettled(
        Array.from({ length: 8 }, () => client.resolve(id, first.attempt_id, 'approve')),
      );
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await client.resolve(id, second.attempt_id, 'reject')).outcome).toBe('rejected');
      expect(await refusal(client.resolve(id, second.attempt_id, 'approve'))).toEqual([409, 'ConflictError']);
      expect(await refusal(client.resolve(id, 'att_00000000000000000000000000', 'approve'))).toEqual([
        404,
        'NotFoundError',
      ]);
      expect(await refusal(client.resolve(id, third.attempt_id, 'perhaps'))).toEqual([400, 'BadRequestError']);
      await client.resolve(id, third.attempt_id, 'approve');
      const worker = new CampaignWorker(instance);
      const done = await client.until(id, ({ status }) => status === 'completed');
      await worker.stop();
      expect(done.statistics).toMatchObject({ completed: 3, outcomes: { answered: 2, rejected: 1 } });
      expect(worker.dialed).toHaveLength(2);
    });

    it('approved calls count against max_concurrent', async () => {
      const client = await prepared();
      await policy(client, held);
      const { campaign_id: id } = await client.launched(numbers(3), { max_concurrent: 1 });
      await client.until(id, ({ statistics }) => statistics.in_review === 3);
      for (const { attempt_id } of await client.attempts(id)) await client.resolve(id, attempt_id, 'approve');
      const busy = await client.until(id, ({ statistics }) => statistics.live === 1 && statistics.waiting === 2);
      expect(busy.statistics.in_review).toBe(0);
      expect(await claimed(instance, 1)).toHaveLength(1);
      await client.end(id);
    });

    it('canceling a campaign cancels its calls that wait for review', async () => {
      const client = await prepared();
      await policy(client, held);
      const { campaign_id: id } = await client.launched(numbers(2));
      await client.until(id, ({ statistics }) => statistics.in_review === 2);
      await client.end(id);
      const after = await client.until(id, ({ statistics }) => statistics.in_review === 0);
      expect(after.statistics.outcomes.canceled).toBe(2);
    });
  });

  it('contacts that are suppressed, blocked by policy or lack a required variable get their own outcome and are not dialed', async () => {
    const variables = [{ name: 'age', type: 'number', required: true }];
    const client = await prepared({ variables: documentOf('VariablesConfig', { variables }) });
    const { organizationId } = client.agent;
    await suppress(instance, organizationId, '+14155550101');
    const contacts = [
      { to: '+14155550101', variables: { age: 1 } },
      { to: '+19005550102', variables: { age: 1 } },
      { to: '+14155550103' },
      { to: '+14155550106', variables: { age: 1 } },
    ];
    const { campaign_id: id } = await client.create({ contacts });
    await client.launch(id);
    const worker = new CampaignWorker(instance);
    const done = await client.until(id, ({ status }) => status === 'completed');
    await worker.stop();
    expect(worker.dialed).toEqual(['+14155550106']);
    expect(done.statistics.outcomes).toMatchObject({ suppressed: 1, policy_blocked: 1, invalid: 1, answered: 1 });
    const outcomes = Object.fromEntries(
      (await client.contacts(id)).map(({ to, outcome, attempts }) => [to, [outcome, attempts]]),
    );
    expect(outcomes).toEqual({
      '+14155550101': ['suppressed', 0],
      '+19005550102': ['policy_blocked', 1],
      '+14155550103': ['invalid', 0],
      '+14155550106': ['answered', 1],
    });
  });

  it("quiet hours apply by a contact's own time zone, at admission and directly before dialing", async () => {
    const client = await prepared();
    const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', hour: '2-digit', minute: '2-digit' });
    const inTokyo = (minutes: number): string => time.format(Date.now() + minutes * 60_000);
    await policy(client, { quiet_hours: { mode: 'enforce', start: inTokyo(-60), end: inTokyo(60) } });
    const contacts = [
      { to: '+81312345676', time_zone: 'America/New_York' },
      { to: '+81312345666' },
      { to: '+14155550106', time_zone: 'Asia/Tokyo' },
      { to: '+14155550116' },
    ];
    const { campaign_id: id } = await client.create({ contacts });
    await client.launch(id);
    const worker = new CampaignWorker(instance);
    const done = await client.until(id, ({ status }) => status === 'completed');
    await worker.stop();
    expect([...worker.dialed].sort()).toEqual(['+14155550116', '+81312345676']);
    expect(done.statistics.outcomes).toMatchObject({ policy_blocked: 2, answered: 2 });
  });

  it('calls above the live_calls limit wait, and are placed when the limit is removed', async () => {
    const client = await prepared();
    const { organizationId } = client.agent;
    const controls = (live_calls: number | null) => setControls(instance, organizationId, { live_calls });
    await controls(2);
    const { campaign_id: id } = await client.launched(numbers(6), { max_concurrent: 5 });
    const held = await client.until(id, ({ waits_for }) => waits_for === 'live_calls');
    expect(held.statistics.live).toBeLessThanOrEqual(5);
    const worker = new CampaignWorker(instance);
    await controls(null);
    const done = await client.until(id, ({ status }) => status === 'completed');
    await worker.stop();
    expect(done.statistics).toMatchObject({ completed: 6, attempts: 6, outcomes: { answered: 6 } });
    expect(new Set(worker.dialed).size).toBe(6);
    expect(worker.dialed).toHaveLength(6);
  });

  it('a campaign pauses when its agent becomes inactive; after reactivation and resume every contact is called', async () => {
    const client = await prepared();
    const { campaign_id: id } = await client.create({ contacts: numbers(5).map((to) => ({ to })) });
    await client.launch(id);
    client.agent.status = 'inactive';
    const fresh = await client.duplicate(id);
    expect(await refusal(client.launch(fresh.campaign_id))).toEqual([409, 'ConflictError']);
    client.agent.status = 'active';
    await client.end(id);
    await client.update(fresh.campaign_id, { max_concurrent: 1 });
    const { campaign_id: second } = await client.launch(fresh.campaign_id);
    await client.until(second, ({ statistics }) => statistics.live === 1);
    // The attempt is counted before it is placed: when the agent is requested, the count must include it.
    await eventually(async () => ((await client.attempts(second, { status: 'placed' })).length > 0 ? true : undefined));
    const jobs = await claimed(instance, 1);
    client.agent.status = 'inactive';
    for (const job of jobs) await runCall(instance, job);
    const paused = await client.until(second, ({ status }) => status === 'paused');
    expect(paused.paused_reason).toBe('agent_inactive');
    // The runner publishes the events of its own transitions too, so that no number is skipped.
    const { rows } = await under.db.query<{ seq: number; events: number }>({
      text: `select resource_seq::int as seq, (select count(*)::int from outbox where ordering_key = $2) as events
             from campaigns where organization_id = $1 and campaign_id = $2`,
      values: [client.agent.organizationId, second],
    });
    expect(rows.map(({ seq, events }) => seq - events)).toEqual([0]);
    expect(await refusal(client.resume(second))).toEqual([409, 'ConflictError']);
    client.agent.status = 'active';
    await client.resume(second);
    const worker = new CampaignWorker(instance);
    const done = await client.until(second, ({ status }) => status === 'completed');
    await worker.stop();
    expect(done.statistics).toMatchObject({ completed: 5, attempts: 5, outcomes: { answered: 5 } });
  });

  /** Waits until this instance hands out no jobs because of maintenance: the other instance may have noticed it earlier. */
  const obeyed = async (): Promise<void> => {
    const agent = under.fakes.addAgent();
    await addNumber(instance, agent, undefined, { dialer: 'own' });
    const { organizationId } = agent;
    await eventually(async () => {
      const { call } = await place(instance, agent);
      const jobs = await claim(instance, 1, 0, customerCaller(organizationId));
      await cancelCall(instance, organizationId, call.call_id);
      return jobs.length === 0 ? true : undefined;
    });
  };

  describe('during maintenance', () => {
    it('a running campaign places no calls, and continues afterwards', async () => {
      const client = await prepared();
      const { campaign_id: id } = await client.launched(numbers(8), { max_concurrent: 2 });
      await client.until(id, ({ statistics }) => statistics.live === 2);
      maintenance(true);
      const before = await client.until(id, ({ waits_for }) => waits_for === 'maintenance');
      expect([before.status, before.statistics.attempts]).toEqual(['running', 2]);
      // Queued calls are not handed out either.
      await obeyed();
      expect(await claim(instance, 10)).toEqual([]);
      maintenance(false);
      const worker = new CampaignWorker(instance);
      const done = await client.until(id, ({ status }) => status === 'completed');
      await worker.stop();
      expect(done.statistics).toMatchObject({ completed: 8, attempts: 8 });
    });

    const farAway = '2099-01-01T00:00:00.000Z';
    /** Moves a campaign's end to one second from now. An early end from the start could pass before the test has prepared its calls. */
    const endSoon = async (id: string): Promise<string> => {
      const { rows } = await under.db.query<{ ends_at: Date }>({
        text: `update campaigns set ends_at = date_trunc('milliseconds', now()) + interval '1 second',
                 next_run_at = least(next_run_at, now() + interval '1 second')
               where campaign_id = $1 returning ends_at`,
        values: [id],
      });
      return rows[0]?.ends_at.toISOString() ?? '';
    };

    it('a running campaign still completes at its ends_at', async () => {
      const client = await prepared();
      const { campaign_id: id } = await client.launched(numbers(8), { max_concurrent: 2, ends_at: farAway });
      await client.until(id, ({ statistics }) => statistics.live === 2);
      maintenance(true);
      const ends_at = await endSoon(id);
      const done = await client.until(id, ({ status }) => status === 'completed');
      expect(under.fakes.control.maintenance).toBe(true);
      expect(done).toMatchObject({ end_reason: 'ends_at', ends_at });
      expect(Date.parse(done.completed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(ends_at));
      // Calls that were not dialed are withdrawn.
      expect(done.statistics).toMatchObject({ pending: 6, live: 0, completed: 2, outcomes: { canceled: 2 } });
      maintenance(false);
      expect(await claim(instance, 10, 1)).toEqual([]);
      expect((await client.contacts(id, { status: 'not_called' })).length).toBe(6);
    });

    it('campaigns can be paused and canceled, and a paused one completes at its ends_at', async () => {
      const client = await prepared();
      const { campaign_id: id } = await client.launched(numbers(3), { ends_at: farAway, window: closedNow() });
      maintenance(true);
      expect((await client.pause(id)).status).toBe('paused');
      await endSoon(id);
      await client.until(id, ({ status, end_reason }) => status === 'completed' && end_reason === 'ends_at');
      const second = await client.create({ contacts: [{ to: '+14155550106' }] });
      expect((await client.cancel(second.campaign_id)).status).toBe('canceled');
    });
  });

  /** A window that opens tomorrow at the earliest. */
  function closedNow(): object {
    const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const dayAfterNext = days[(new Date().getUTCDay() + 2) % 7];
    return { time_zone: 'UTC', days: [dayAfterNext], start: '09:00', end: '10:00' };
  }

  it('a campaign waits outside its calling window, and continues when the window is removed', async () => {
    const client = await prepared();
    const { campaign_id: id } = await client.launched(numbers(3), { window: closedNow() });
    const waiting = await client.until(id, ({ waits_for }) => waits_for === 'window');
    expect(waiting.statistics).toMatchObject({ pending: 3, attempts: 0 });
    await client.update(id, { window: null });
    const worker = new CampaignWorker(instance);
    await client.until(id, ({ status }) => status === 'completed');
    await worker.stop();
    expect(worker.dialed).toHaveLength(3);
  });

  describe('writes', () => {
    it('PATCH /v1/campaigns/{campaign_id}: absent fields stay unchanged; a stale If-Match and any change after the end get 409', async () => {
      const client = await prepared();
      const retry = { attempts: 2, delay_minutes: 5, on: ['busy'] };
      const made = await client.create({ retry, metadata: { a: 1 } });
      const { etag, campaign_id: id } = await client.get(made.campaign_id);
      const after = await client.update(id, { name: 'Summer', max_concurrent: 3 }, etag);
      expect(after).toMatchObject({
        name: 'Summer',
        max_concurrent: 3,
        retry,
        metadata: { a: 1 },
        calls_per_minute: 60,
      });
      expect(await refusal(client.update(id, { name: 'Autumn' }, etag))).toEqual([409, 'ConflictError']);
      expect(await client.update(id, { retry: null })).toMatchObject({ retry: null, name: 'Summer' });
      const agent = under.fakes.addAgent({ organizationId: client.agent.organizationId });
      expect(await refusal(client.update(id, { agent_id: agent.agentId }))).toEqual([400, 'BadRequestError']);
      await client.add(id, [{ to: '+14155550106' }]);
      await client.update(id, { window: closedNow() });
      await client.launch(id);
      const same = under.fakes.addAgent({
        organizationId: client.agent.organizationId,
        projectId: client.agent.projectId,
      });
      expect(await refusal(client.update(id, { agent_id: same.agentId }))).toEqual([409, 'ConflictError']);
      expect((await client.update(id, { calls_per_minute: 7 })).status).toBe('running');
      await client.end(id);
      expect(await refusal(client.update(id, { name: 'Winter' }))).toEqual([409, 'ConflictError']);
    });

    it.each<[string, object]>([
      ['contacts with the same number twice', { contacts: [{ to: '+14155550106' }, { to: '+14155550106' }] }],
      ['an unknown from number', { from: '+14155550199' }],
      ['an unknown time zone', { window: { time_zone: 'Mars/Base', days: ['mon'], start: '09:00', end: '10:00' } }],
      [
        'a window that ends when it starts',
        { window: { time_zone: 'UTC', days: ['mon'], start: '09:00', end: '09:00' } },
      ],
      [
        'a window with the same day twice',
        { window: { time_zone: 'UTC', days: ['mon', 'mon'], start: '09:00', end: '10:00' } },
      ],
      ['max_concurrent 0', { max_concurrent: 0 }],
      ['calls_per_minute 0', { calls_per_minute: 0 }],
      ['a retry rule with 0 attempts', { retry: { attempts: 0, delay_minutes: 1, on: ['busy'] } }],
      ['a retry rule for answered calls', { retry: { attempts: 2, delay_minutes: 1, on: ['answered'] } }],
    ])('%s: rejected with 400, no campaign is created', async (_what, body) => {
      const client = await prepared();
      expect(await refusal(client.create(body))).toEqual([400, 'BadRequestError']);
      const { rows } = await under.db.query<{ count: number }>({
        text: 'select count(*)::int as count from campaigns where organization_id = $1',
        values: [client.agent.organizationId],
      });
      expect(rows[0]?.count).toBe(0);
    });

    it('launching a campaign without contacts, or with ends_at in the past, gets 409', async () => {
      const client = await prepared();
      const empty = await client.create();
      expect(await refusal(client.launch(empty.campaign_id))).toEqual([409, 'ConflictError']);
      const ended = await client.create({ contacts: [{ to: '+14155550106' }], ends_at: '2020-01-01T00:00:00Z' });
      expect(await refusal(client.launch(ended.campaign_id))).toEqual([409, 'ConflictError']);
    });

    it('POST /v1/campaigns/{campaign_id}/duplicate: a draft with the same configuration and all contacts pending', async () => {
      const client = await prepared();
      const window = closedNow();
      const contacts = numbers(30).map((to, n) => ({ to, variables: { n } }));
      const source = await client.create({ contacts, window, max_concurrent: 4, ends_at: '2099-01-01T00:00:00.000Z' });
      await client.launch(source.campaign_id);
      const copy = await client.duplicate(source.campaign_id, { name: 'Again' }, 'key-1');
      expect(copy).toMatchObject({
        name: 'Again',
        status: 'draft',
        window,
        max_concurrent: 4,
        ends_at: '2099-01-01T00:00:00.000Z',
        statistics: { contacts: 30, pending: 30 },
      });
      expect((await client.duplicate(source.campaign_id, { name: 'Again' }, 'key-1')).campaign_id).toBe(
        copy.campaign_id,
      );
      const copied = await client.contacts(copy.campaign_id);
      expect(copied.map(({ to }) => to).sort()).toEqual(contacts.map(({ to }) => to).sort());
      expect(copied.every(({ status, attempts }) => status === 'pending' && attempts === 0)).toBe(true);
      expect((await client.duplicate(source.campaign_id, { contacts: false })).statistics.contacts).toBe(0);
      await client.end(source.campaign_id);
    });

    it('repeating an Idempotency-Key creates no second campaign or import; another body gets 409', async () => {
      const client = await prepared();
      const ids = await Promise.all(Array.from({ length: 5 }, () => client.create({ name: 'One' }, 'k')));
      const id = ids[0]?.campaign_id ?? '';
      expect(new Set(ids.map(({ campaign_id }) => campaign_id)).size).toBe(1);
      expect(await refusal(client.create({ name: 'Two' }, 'k'))).toEqual([409, 'ConflictError']);
      const page = [{ to: '+14155550101' }, { to: '+14155550102' }];
      const added = await client.add(id, page, 'p');
      const again = await client.add(id, page, 'p');
      expect([added['added'], added['replayed'], again['import_id'], again['replayed']]).toEqual([
        2,
        false,
        added['import_id'],
        true,
      ]);
      expect(await client.add(id, page)).toMatchObject({ added: 0, duplicates: 2 });
      expect((await client.get(id)).statistics.contacts).toBe(2);
    });
  });

  it("every campaign route answers 404 for another organization's campaign and changes nothing", async () => {
    const owner = await prepared();
    const stranger = new CampaignClient(other, (await prepared()).agent);
    const { campaign_id: id } = await owner.launched(['+14155550106'], { window: closedNow() });
    await owner.until(id, ({ waits_for }) => waits_for === 'window');
    const before = await owner.get(id);
    const missing = [404, 'NotFoundError'];
    expect(await refusal(stranger.get(id))).toEqual(missing);
    expect(await refusal(stranger.update(id, { name: 'x' }))).toEqual(missing);
    for (const move of ['launch', 'pause', 'resume', 'cancel', 'duplicate'] as const) {
      expect(await refusal(stranger[move](id))).toEqual(missing);
    }
    expect(await refusal(stranger.add(id, [{ to: '+14155550107' }]))).toEqual(missing);
    expect(await refusal(stranger.rows(id, 'to\n+14155550107\n'))).toEqual(missing);
    expect(await refusal(stranger.contacts(id))).toEqual(missing);
    expect(await refusal(stranger.attempts(id))).toEqual(missing);
    expect(await refusal(stranger.faults(id, 'imp_00000000000000000000000000'))).toEqual(missing);
    expect(await refusal(stranger.resolve(id, 'att_00000000000000000000000000', 'approve'))).toEqual(missing);
    expect(await owner.get(id)).toEqual(before);
    await owner.end(id);
  });
});
