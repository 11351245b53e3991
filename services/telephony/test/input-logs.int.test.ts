import { gzipSync } from 'node:zlib';
import { mostInputLogCharacters, routes } from '@parley/contract';
import { customerCaller } from '@parley/testing';
import { addNumber, claimOne, hostedCaller, place, report } from './test-caller';
import { eraseCall } from './erasing';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** Input logs of calls, which an engine uploads for a replay. */
describe('the input log of a call', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start();
  });
  afterAll(() => under.stop());

  const talked = async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent);
    const job = await claimOne(telephony);
    await report(telephony, job, 1, 'dialing', 'answered', 'ended');
    return { agent, callId: call.call_id, job };
  };
  type Talked = Awaited<ReturnType<typeof talked>>;

  const completeWith = ({ job: { job_id, epoch } }: Talked, input_log: unknown) =>
    telephony.request(routes.completeWorkerJob, {
      caller: hostedCaller,
      params: { job_id },
      body: { epoch, transcript: { turns: [] }, input_log },
    });
  const read = async ({ agent, callId }: Pick<Talked, 'agent' | 'callId'>) =>
    (
      await telephony.request(routes.getInputLog, {
        caller: customerCaller(agent.organizationId),
        params: { call_id: callId },
      })
    ).body;

  it('is uploaded with the completion, and readable unchanged by its organization only', async () => {
    const one = await talked();
    expect(await refusal(read(one))).toEqual([404, 'NotFoundError']);
    const log = gzipSync('{"form":1}\n').toString('base64');
    await completeWith(one, log);
    expect(await read(one)).toEqual({ call_id: one.callId, log, created_at: expect.any(String) });
    const { agent } = await talked();
    expect(await refusal(read({ agent, callId: one.callId }))).toEqual([404, 'NotFoundError']);
  });

  it('is deleted when the call is erased', async () => {
    const one = await talked();
    await completeWith(one, 'AAAA');
    await eraseCall(telephony, one.agent.organizationId, one.callId);
    expect(await refusal(read(one))).toEqual([404, 'NotFoundError']);
    const { rows } = await under.db.query({
      text: 'select from call_input_logs where call_id = $1',
      values: [one.callId],
    });
    expect(rows).toHaveLength(0);
  });

  it('gets 404 if the worker sent none', async () => {
    const one = await talked();
    await completeWith(one, undefined);
    expect(await refusal(read(one))).toEqual([404, 'NotFoundError']);
  });

  it('is not replaced by a repeated completion', async () => {
    const one = await talked();
    await completeWith(one, 'AAAA');
    await completeWith(one, 'BBBB');
    expect((await read(one)).log).toBe('AAAA');
  });

  it.each<[string, unknown, boolean]>([
    ['rejects text that is not base64', 'A', false],
    ['rejects base64 without padding', 'AAAAA', false],
    ['accepts three bytes', 'AAAB', true],
    ['accepts two bytes', 'AAA=', true],
    ['rejects base64 with bits beyond the last byte', 'AAB=', false],
    ['accepts the maximum length', 'A'.repeat(mostInputLogCharacters), true],
    ['rejects one block more', 'A'.repeat(mostInputLogCharacters + 4), false],
    ['rejects a value that is not a string', 5, false],
  ])('%s', async (_, log, accepted) => {
    const one = await talked();
    if (accepted) {
      const { status } = await completeWith(one, log).then(
        () => ({ status: 200 }),
        (error: { status: number }) => error,
      );
      expect(status).toBe(200);
    } else expect(await refusal(completeWith(one, log))).toEqual([400, 'BadRequestError']);
  });
});
