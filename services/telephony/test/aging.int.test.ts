import { eventually } from '@parley/testing';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

describe('metrics of erasures and retention', () => {
  let under: UnderTest;
  let telephony: Instance;
  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start();
  });
  afterAll(() => under.stop());

  it('report how long the oldest erasure and the oldest copy to be erased have waited', async () => {
    expect(await telephony.metric('parley_oldest_erasure_seconds')).toBe(0);
    await under.db.query({
      text: `insert into erased_copies (resource_id, organization_id, first_event_id, last_event_id, events, erased_at, retry_at)
             values ('call_1', 'org_1', 'evt_1', 'evt_2', 1, now() - interval '2 hours', now() + interval '1 day')`,
    });
    await eventually(async () => {
      const seconds = await telephony.metric('parley_oldest_erasure_seconds');
      return seconds >= 7_200 && seconds < 7_800 ? true : undefined;
    });
    await under.db.query({ text: 'delete from erased_copies' });
    await under.db.query({
      text: `insert into erasures (erasure_id, organization_id, phone_number, created_at, retry_at)
             values ('era_1', 'org_1', '+1', now() - interval '3 hours', now() + interval '1 day')`,
    });
    await eventually(async () =>
      (await telephony.metric('parley_oldest_erasure_seconds')) >= 10_800 ? true : undefined,
    );
  });

  it('count erasures that were abandoned in the last seven days', async () => {
    expect(await telephony.metric('parley_failed_erasures')).toBe(0);
    await under.db.query({
      text: `insert into erasures (erasure_id, organization_id, phone_number, status, finished_at)
             select 'era_' || days, 'org_1', null, 'failed', now() - make_interval(days => days) from unnest(array[6, 8]) days`,
    });
    await eventually(async () => ((await telephony.metric('parley_failed_erasures')) === 1 ? true : undefined));
  });

  it('report for how long retention has failed, until it succeeds; other organizations are not delayed', async () => {
    const failing = () => telephony.metric('parley_retention_failing_seconds');
    expect(await failing()).toBe(0);
    // So many days lie before the first time that PostgreSQL can represent.
    await under.db.query({
      text: `insert into organization_retention (organization_id, messages_days) values ('org_refused', 2147483647), ('org_other', 1)`,
    });
    await eventually(async () => ((await failing()) > 0 ? true : undefined));
    const { rows } = await under.db.query<{ organization_id: string }>({
      text: 'select organization_id from organization_retention where failing_since is not null',
    });
    expect(rows).toEqual([{ organization_id: 'org_refused' }]);
    await under.db.query({ text: 'update organization_retention set messages_days = 1, due_at = now()' });
    await eventually(async () => ((await failing()) === 0 ? true : undefined));
  });
});
