import { newId, type Caller } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { addNumber, claim, hostedCaller, place } from './test-caller';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** A worker key is revoked while its claims are waiting. */
describe('waiting claims', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start();
    // The control state must be known: an earlier claim would be answered without a job.
    await eventually(async () => ((await claim(telephony)).length === 0 ? true : undefined));
  });
  afterAll(() => under.stop());

  const workerKey = (change: Partial<Caller> = {}): Caller => ({ ...hostedCaller, keyId: newId('key'), ...change });

  it('with a revoked key get 401, and the next call goes to another worker once', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const revoked = workerKey();
    const waiting = Array.from({ length: 30 }, () => refusal(claim(telephony, 1, 20, revoked)));
    under.fakes.control.revokedKeys.push(revoked.keyId);
    // Until this instance knows the revocation, which takes up to a second, the key can still get a job.
    expect(await refusal(claim(telephony, 1, 20, revoked))).toEqual([401, 'UnauthorizedError']);
    const { call } = await place(telephony, agent);
    const jobs = await eventually(async () => {
      const claimed = await claim(telephony, 5, 0, workerKey());
      return claimed.length > 0 ? claimed : undefined;
    });
    for (const outcome of await Promise.all(waiting)) expect(outcome).toEqual([401, 'UnauthorizedError']);
    expect(jobs.map((job) => job.call.call_id)).toEqual([call.call_id]);
  });

  it('get 401 within 5 s of the revocation of their key, even if no job is waiting', async () => {
    const revoked = workerKey();
    const waiting = refusal(claim(telephony, 1, 20, revoked));
    const before = Date.now();
    under.fakes.control.revokedKeys.push(revoked.keyId);
    expect(await waiting).toEqual([401, 'UnauthorizedError']);
    // One poll of the control state and one poll of the queue, with time to spare because the machine is shared.
    expect(Date.now() - before).toBeLessThan(5_000);
  });

  it('get 401 when their key expires', async () => {
    const ending = workerKey({ expiresAtMs: Date.now() + 500 });
    expect(await refusal(claim(telephony, 1, 20, ending))).toEqual([401, 'UnauthorizedError']);
  });

  it('with other keys continue', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const waiting = claim(telephony, 1, 20, workerKey({ expiresAtMs: Date.now() + 3_600_000 }));
    under.fakes.control.revokedKeys.push(newId('key'));
    const { call } = await place(telephony, agent);
    expect((await waiting).map((job) => job.call.call_id)).toEqual([call.call_id]);
  });
});
