import { addNumber } from './test-caller';
import { CampaignClient, claimed, runCall } from './test-campaign';
import { telephonyUnderTest, type UnderTest } from './telephony-under-test';

describe('a campaign whose calls do not change', () => {
  let under: UnderTest;

  beforeAll(async () => {
    under = await telephonyUnderTest();
  });
  afterAll(() => under.stop());

  it('is written every five seconds at most, and continues if the process that runs it stops', async () => {
    const settings = { workerLeaseSeconds: 300 };
    const [first, second] = [await under.start(settings), await under.start(settings)];
    const agent = under.fakes.addAgent();
    await addNumber(second, agent);
    const client = new CampaignClient(second, agent);
    const { campaign_id: id } = await client.launched(['+14151000006']);
    await client.until(id, ({ statistics }) => statistics.live === 1);

    const versions = new Set<unknown>();
    for (let reads = 0; reads < 30; reads += 1) {
      const { rows } = await under.db.query<{ xmin: string }>({
        text: 'select xmin::text from campaigns where campaign_id = $1',
        values: [id],
      });
      versions.add(rows[0]?.xmin);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // A placement may be recorded just after the first read.
    expect(versions.size).toBeLessThanOrEqual(3);

    await first.stop();
    const [job] = await claimed(second, 1);
    if (job === undefined) throw new Error('no call');
    await runCall(second, job);
    await client.until(id, ({ status }) => status === 'completed');
  });
});
