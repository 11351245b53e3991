import { addNumber, claim } from './test-caller';
import { CampaignClient, CampaignWorker, claimed, runCall } from './test-campaign';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** Numbers with the same outcome, which their last digit determines. */
const numbers = (count: number, digit: number): string[] =>
  Array.from({ length: count }, (_, n) => `+1415${100_000 + n}${digit}`);

describe('campaigns', () => {
  let under: UnderTest;
  let instances: Instance[];

  beforeAll(async () => {
    under = await telephonyUnderTest();
    instances = [await under.start({ workerLeaseSeconds: 300 }), await under.start({ workerLeaseSeconds: 300 })];
  });
  afterAll(() => under.stop());

  async function prepared(change: Parameters<UnderTest['fakes']['addAgent']>[0] = {}): Promise<CampaignClient> {
    const [instance] = instances as [Instance];
    const agent = under.fakes.addAgent(change);
    await addNumber(instance, agent);
    return new CampaignClient(instance, agent);
  }

  const eventsOf = async (resourceId: string) => {
    const { rows } = await under.db.query<{ type: string; seq: string }>({
      text: `select payload::json->>'type' as type, ordering_seq as seq from outbox where ordering_key = $1 order by position`,
      values: [resourceId],
    });
    return rows.map(({ type, seq }) => `${type} ${seq}`);
  };

  it('POST /v1/campaigns/{campaign_id}/launch: each contact is called once, each event is published once, statistics are exact', async () => {
    const client = await prepared();
    const worker = new CampaignWorker(instances[1] as Instance);
    const all = [...numbers(10, 1), ...numbers(10, 2), ...numbers(10, 3), ...numbers(5, 4), ...numbers(25, 6)];
    const { campaign_id: id, status } = await client.launched(all);
    expect(status).toBe('running');
    const done = await client.until(id, (campaign) => campaign.status === 'completed');
    await worker.stop();
    expect(done).toMatchObject({
      end_reason: 'all_contacts',
      statistics: {
        contacts: 60,
        pending: 0,
        live: 0,
        waiting: 0,
        in_review: 0,
        completed: 60,
        attempts: 60,
        outcomes: { busy: 10, no_answer: 10, voicemail: 10, failed: 5, answered: 25, canceled: 0 },
      },
    });
    expect([...worker.dialed].sort()).toEqual([...all].sort());
    expect(await eventsOf(id)).toEqual(['campaign.launched 1', 'campaign.completed 2']);
    const contacts = await client.contacts(id);
    expect(new Set(contacts.map(({ status: each }) => each))).toEqual(new Set(['completed']));
    for (const { contact_id } of contacts) expect(await eventsOf(contact_id)).toEqual(['campaign.contact.completed 1']);
  });

  it('retries only the outcomes named in the retry rule, up to its number of attempts; a mailbox only with a proof', async () => {
    const client = await prepared();
    const worker = new CampaignWorker(instances[0] as Instance);
    const retry = { attempts: 3, delay_minutes: 0, on: ['busy', 'voicemail'] };
    const { campaign_id: id } = await client.launched(
      ['+14151000001', '+14151000002', '+14151000003', '+14151000006', '+14151000008'],
      { retry },
    );
    const done = await client.until(id, (campaign) => campaign.status === 'completed');
    await worker.stop();
    expect(done.statistics).toMatchObject({
      attempts: 9,
      outcomes: { busy: 1, no_answer: 1, voicemail: 1, answered: 2 },
    });
    const attempts = Object.fromEntries((await client.contacts(id)).map(({ to, attempts: count }) => [to, count]));
    expect(attempts).toEqual({
      '+14151000001': 3,
      '+14151000002': 1,
      '+14151000003': 3,
      '+14151000006': 1,
      '+14151000008': 1,
    });
    expect(worker.dialed).toHaveLength(9);
  });

  it('max_concurrent limits the live calls; when one ends, the next is placed', async () => {
    const client = await prepared();
    const { campaign_id: id } = await client.launched(numbers(10, 6), { max_concurrent: 3 });
    await client.until(id, ({ statistics }) => statistics.live === 3);
    const first = await claimed(instances[0] as Instance, 3);
    expect(first).toHaveLength(3);
    await runCall(instances[0] as Instance, first[0] as (typeof first)[0]);
    await client.until(id, ({ statistics }) => statistics.completed === 1 && statistics.live === 3);
    expect(await claimed(instances[0] as Instance, 1)).toHaveLength(1);
    expect(await claim(instances[0] as Instance, 50)).toEqual([]);
    await client.end(id);
  });

  it('places no more than calls_per_minute calls; the campaign then waits for "pace"', async () => {
    const client = await prepared();
    const worker = new CampaignWorker(instances[0] as Instance);
    const { campaign_id: id } = await client.launched(numbers(12, 6), { calls_per_minute: 5, max_concurrent: 100 });
    const held = await client.until(
      id,
      ({ statistics, waits_for }) => statistics.completed === 5 && waits_for === 'pace',
    );
    expect(held.statistics).toMatchObject({ attempts: 5, pending: 7 });
    await client.end(id);
    await worker.stop();
    expect(worker.dialed).toHaveLength(5);
  });

  it('pausing and resuming a campaign several times loses no contact and calls none twice', async () => {
    const client = await prepared();
    const all = numbers(40, 6);
    const { campaign_id: id } = await client.launched(all, { max_concurrent: 10 });
    await client.until(id, ({ statistics }) => statistics.live === 10);
    const [talking] = await claim(instances[1] as Instance, 1, 1);
    expect((await client.pause(id)).paused_reason).toBe('requested');
    // Calls that were not dialed are withdrawn and not counted.
    const paused = await client.until(id, ({ statistics }) => statistics.live === 1 || statistics.live === 0);
    expect(paused.status).toBe('paused');
    if (talking !== undefined) await runCall(instances[1] as Instance, talking).catch(() => undefined);
    await client.until(id, ({ statistics }) => statistics.live === 0);
    expect(await claim(instances[1] as Instance, 50)).toEqual([]);
    const worker = new CampaignWorker(instances[1] as Instance);
    for (let round = 0; round < 3; round += 1) {
      await client.resume(id);
      await client.pause(id);
    }
    await client.resume(id);
    const done = await client.until(id, (campaign) => campaign.status === 'completed');
    await worker.stop();
    expect(done.statistics).toMatchObject({ contacts: 40, completed: 40, attempts: 40, outcomes: { answered: 40 } });
    const dialed = new Set(worker.dialed);
    expect(dialed.size).toBe(worker.dialed.length);
    for (const contact of await client.contacts(id))
      expect([contact.attempts, contact.outcome]).toEqual([1, 'answered']);
  });

  it('POST /v1/campaigns/{campaign_id}/cancel: cancels its undialed calls, does not call pending contacts, and later changes get 409', async () => {
    const client = await prepared();
    const { campaign_id: id } = await client.launched(numbers(20, 6), { max_concurrent: 5 });
    await client.until(id, ({ statistics }) => statistics.live === 5);
    expect((await client.cancel(id)).status).toBe('canceled');
    const after = await client.until(id, ({ statistics }) => statistics.live === 0);
    expect(after.statistics).toMatchObject({ pending: 15, completed: 5, outcomes: { canceled: 5 } });
    expect((await client.contacts(id, { status: 'not_called' })).length).toBe(15);
    expect(await client.contacts(id, { status: 'pending' })).toEqual([]);
    for (const move of ['launch', 'pause', 'resume', 'cancel'] as const) {
      expect(await refusal(client[move](id))).toEqual([409, 'ConflictError']);
    }
    expect(await refusal(client.add(id, [{ to: '+14155550100' }]))).toEqual([409, 'ConflictError']);
    expect(await eventsOf(id)).toEqual(['campaign.launched 1']);
  });

  it('a campaign pauses with reason failure_rate when the share of failed calls reaches pause_at_failure_percent', async () => {
    const client = await prepared();
    const worker = new CampaignWorker(instances[0] as Instance);
    const { campaign_id: id } = await client.launched(numbers(100, 4), {
      max_concurrent: 5,
      pause_at_failure_percent: 50,
    });
    const paused = await client.until(id, (campaign) => campaign.status === 'paused');
    await worker.stop();
    expect(paused.paused_reason).toBe('failure_rate');
    expect(paused.statistics.completed).toBeGreaterThanOrEqual(50);
    expect(paused.statistics.completed).toBeLessThan(60);
    await client.end(id);
  });

  describe('a process crash after placing a call, before storing its call_id', () => {
    /** The row as a process that crashed more than 30 s ago left it. */
    const died = (id: string, status = 'running') =>
      under.db.query({
        text: `with attempt as (
                 update campaign_attempts set status = 'placing', call_id = null, ready_at = now() - interval '31 seconds'
                 where campaign_id = $1 and status = 'placed' returning 1)
               update campaigns set status = $2, next_run_at = now() where campaign_id = $1 and (select count(*) from attempt) > 0`,
        values: [id, status],
      });
    const callsOf = async (id: string): Promise<string[]> => {
      const { rows } = await under.db.query<{ status: string }>({
        text: `select status from calls where metadata::json->>'campaign_id' = $1`,
        values: [id],
      });
      return rows.map(({ status }) => status);
    };

    it('the next run of the campaign finds that call and places no second one', async () => {
      const client = await prepared();
      const { campaign_id: id } = await client.launched(numbers(3, 6));
      await client.until(id, ({ statistics }) => statistics.live === 3);
      while ((await client.attempts(id, { status: 'placed' })).length < 3);
      await died(id);
      const worker = new CampaignWorker(instances[0] as Instance);
      const done = await client.until(id, ({ status }) => status === 'completed');
      await worker.stop();
      expect(done.statistics).toMatchObject({ completed: 3, attempts: 3, outcomes: { answered: 3 } });
      expect(await callsOf(id)).toEqual(['completed', 'completed', 'completed']);
    });

    it.each(['paused', 'canceled'])('in a campaign that is now %s: that call is found and canceled', async (status) => {
      const client = await prepared();
      const { campaign_id: id } = await client.launched(numbers(1, 6));
      await client.until(id, ({ statistics }) => statistics.live === 1);
      while ((await client.attempts(id, { status: 'placed' })).length < 1);
      await died(id, status);
      const after = await client.until(id, ({ statistics }) => statistics.live === 0);
      expect(await callsOf(id)).toEqual(['canceled']);
      const { pending, completed } = after.statistics;
      expect([pending, completed]).toEqual(status === 'paused' ? [1, 0] : [0, 1]);
    });
  });
});
