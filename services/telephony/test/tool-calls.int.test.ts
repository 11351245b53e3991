import { routes, type WorkerJob } from '@parley/contract';
import { createLogger, documentOf, newId } from '@parley/runtime';
import { customerCaller, eventually } from '@parley/testing';
import type { AgentForCall } from '@parley/proto/agents';
import { createToolCallPruner } from '../src/books/queue/pruners';
import { addNumber, claimOne, complete, hostedCaller, place, report } from './test-caller';
import { readMessage } from './test-messages';
import { refusal } from './refusal';
import { WorkerJobs } from './worker-jobs';

type Lease = Pick<WorkerJob, 'job_id' | 'epoch'>;

describe('tool calls and messages of a worker during a call', () => {
  const workers = WorkerJobs.ofFile();
  const stale = [409, 'ConflictError'];
  const bad = [400, 'BadRequestError'];
  const absent = [404, 'NotFoundError'];

  const tools = [
    {
      type: 'webhook',
      name: 'order',
      description: 'x',
      parameters: { type: 'object' },
      url: 'https://a.example/',
      method: 'POST',
    },
    { type: 'builtin', name: 'send_sms' },
  ];
  function agentWith(change: object = { tools }): AgentForCall {
    const tuning = { navigation_ineligible_reason: null, recording_enabled: false, tools: [], ...change };
    return workers.under.fakes.addAgent({ tuning: documentOf('CallTuning', tuning) });
  }

  async function answered(agent = agentWith()): Promise<{ job: WorkerJob; agent: AgentForCall; from: string }> {
    const from = await addNumber(workers.telephony, agent);
    await place(workers.telephony, agent);
    const job = await claimOne(workers.telephony);
    await report(workers.telephony, job, 1, 'dialing');
    await report(workers.telephony, job, 2, 'answered');
    return { job, agent, from };
  }

  const begin = async (
    { job_id, epoch }: Lease,
    body: object = {},
    caller = hostedCaller,
    instance = workers.telephony,
  ) =>
    (
      await instance.request(routes.beginToolCall, {
        caller,
        params: { job_id },
        body: { epoch, tool_call_id: 'tc_1', name: 'order', run_id: 'r1', ...body },
      })
    ).body;
  const end = async ({ job_id, epoch }: Lease, body: object = {}, toolCallId = 'tc_1') =>
    (
      await workers.second.request(routes.endToolCall, {
        caller: hostedCaller,
        params: { job_id, tool_call_id: toolCallId },
        body: { epoch, outcome: 'succeeded', result: 'ordered', duration_ms: 12, ...body },
      })
    ).body;
  const send = async ({ job_id, epoch }: Lease, body: object = {}, caller = hostedCaller) =>
    (
      await workers.telephony.request(routes.sendWorkerMessage, {
        caller,
        params: { job_id },
        body: { epoch, tool_call_id: 'tc_sms', body: 'See you at ten', ...body },
      })
    ).body;

  describe('a tool call', () => {
    it('is allowed to run for its first run_id only, and its outcome is stored once', async () => {
      const { job } = await answered();
      const fresh = { tool_call_id: 'tc_1', run: true, outcome: null, result: null };
      expect(await begin(job)).toEqual(fresh);
      expect(await begin(job)).toEqual(fresh);
      expect(await begin(job, { run_id: 'r2' })).toEqual({ ...fresh, run: false });
      expect(await begin(job, { tool_call_id: 'tc_2', run_id: 'r2' })).toEqual({ ...fresh, tool_call_id: 'tc_2' });
      const over = { tool_call_id: 'tc_1', run: false, outcome: 'succeeded', result: 'ordered' };
      expect(await end(job)).toEqual(over);
      expect(await end(job, { outcome: 'failed', result: 'other' })).toEqual(over);
      expect(await begin(job)).toEqual(over);
      expect(await begin(job, { run_id: 'r3' })).toEqual(over);
      expect(await refusal(end(job, {}, 'tc_9'))).toEqual(absent);
    });

    it('is not run again by a worker that takes over the call', async () => {
      const { job } = await answered();
      await begin(job);
      // The same job under the next epoch, as a second worker would have it.
      await workers.under.db.query({
        text: 'update jobs set epoch = epoch + 1 where job_id = $1',
        values: [job.job_id],
      });
      const taken = { ...job, epoch: job.epoch + 1 };
      expect(await begin(taken, { run_id: 'of the second' })).toMatchObject({ run: false, outcome: null });
      expect(await refusal(begin(job))).toEqual(stale);
      expect(await refusal(end(job))).toEqual(stale);
      expect(await end(taken)).toMatchObject({ outcome: 'succeeded' });
    });

    it('is allowed to run for one of 12 concurrent attempts', async () => {
      const { job } = await answered();
      const attempts = Array.from({ length: 12 }, (_, n) =>
        begin(job, { run_id: `r${n}` }, hostedCaller, n % 2 === 0 ? workers.telephony : workers.second),
      );
      expect((await Promise.all(attempts)).filter(({ run }) => run)).toHaveLength(1);
    });

    it.each<[string, object]>([
      ["a tool that is not in the call's configuration", { name: 'other' }],
      ['no tool call id', { tool_call_id: '' }],
      ['a tool call id of 129 characters', { tool_call_id: 'x'.repeat(129) }],
      ['a tool call id with a space', { tool_call_id: 'a b' }],
      ['no run id', { run_id: '' }],
      ['an epoch of 0', { epoch: 0 }],
      ['an unknown field', { other: 1 }],
    ])('is rejected with 400 for %s', async (_, body) => {
      const { job } = await answered();
      expect(await refusal(begin(job, body))).toEqual(bad);
    });

    it.each<[string, object]>([
      ['an unknown outcome', { outcome: 'maybe' }],
      ['a result of more than 64 Ki characters', { result: 'x'.repeat(64 * 1024 + 1) }],
      ['a negative duration', { duration_ms: -1 }],
    ])('its outcome is rejected with 400 for %s', async (_, body) => {
      const { job } = await answered();
      await begin(job, { tool_call_id: 'x'.repeat(128) });
      expect(await refusal(end(job, body, 'x'.repeat(128)))).toEqual(bad);
    });

    it('cannot begin after the call has ended (409), but its outcome is still accepted', async () => {
      const { job } = await answered();
      await begin(job);
      await report(workers.telephony, job, 3, { type: 'ended', ended_reason: 'agent_hung_up' });
      expect(await refusal(begin(job, { tool_call_id: 'tc_2' }))).toEqual(stale);
      await complete(workers.telephony, job);
      expect(await end(job)).toMatchObject({ outcome: 'succeeded' });
    });

    it("gets 404 from another organization, and 409 from a worker without the job's lease", async () => {
      const { job, agent } = await answered();
      expect(await refusal(begin(job, {}, customerCaller(newId('org'))))).toEqual(absent);
      expect(await refusal(begin(job, {}, customerCaller(agent.organizationId)))).toEqual(stale);
    });

    it('gets 409 above 1,000 tool calls of a call', async () => {
      const { job } = await answered();
      await begin(job);
      await workers.under.db.query({
        text: `insert into tool_calls (organization_id, call_id, tool_call_id, name, run_id, epoch)
               select organization_id, call_id, 'more' || n, name, run_id, epoch from tool_calls, generate_series(1, 998) n
               where call_id = $1`,
        values: [job.call.call_id],
      });
      expect(await begin(job, { tool_call_id: 'tc_last' })).toMatchObject({ run: true });
      expect(await refusal(begin(job, { tool_call_id: 'tc_beyond' }))).toEqual(stale);
    });

    it('is deleted after 24 hours', async () => {
      const { job } = await answered();
      await begin(job, { tool_call_id: 'old' });
      await begin(job, { tool_call_id: 'young' });
      const { db } = workers.under;
      await db.query({
        text: `update tool_calls set started_at = started_at - interval '25 hours' where call_id = $1 and tool_call_id = 'old'`,
        values: [job.call.call_id],
      });
      const pruner = createToolCallPruner(db, createLogger({ service: 'test', level: 'silent' }));
      await pruner.start();
      const left = async () => {
        const { rows } = await db.query<{ tool_call_id: string }>({
          text: 'select tool_call_id from tool_calls where call_id = $1',
          values: [job.call.call_id],
        });
        return rows.map(({ tool_call_id: id }) => id);
      };
      try {
        await eventually(async () => ((await left()).includes('old') ? undefined : true));
      } finally {
        await pruner.stop();
      }
      expect(await left()).toEqual(['young']);
    });
  });

  describe('a message during the call', () => {
    it("is sent once per tool call, by default from the call's number to its other party, also during maintenance", async () => {
      const { job, agent, from } = await answered();
      workers.under.fakes.control.maintenance = true;
      try {
        const message = await send(job);
        expect(message).toMatchObject({
          agent_id: agent.agentId,
          organization_id: agent.organizationId,
          from,
          to: job.call.to,
          body: 'See you at ten',
          metadata: { call_id: job.call.call_id, tool_call_id: 'tc_sms' },
        });
        expect(await send(job)).toEqual(message);
        expect(await readMessage(workers.telephony, agent, message.message_id)).toMatchObject({
          body: 'See you at ten',
        });
        expect(await refusal(send(job, { body: 'Another text' }))).toEqual(stale);
      } finally {
        workers.under.fakes.control.maintenance = false;
      }
    });

    it('goes to the other end of the call or to a number in the settings of the tool, whatever the worker says', async () => {
      const listed = '+14155550123';
      const { job, agent } = await answered(
        agentWith({ tools: [{ type: 'builtin', name: 'send_sms', config: { to: [listed] } }] }),
      );
      expect((await send(job, { to: listed })).to).toBe(listed);
      expect((await send(job, { tool_call_id: 'tc_2', to: job.call.to })).to).toBe(job.call.to);
      expect(await refusal(send(job, { tool_call_id: 'tc_3', to: '+14155550124' }))).toEqual(bad);
      const own = job.call.from;
      expect(await refusal(send(job, { tool_call_id: 'tc_4', to: own }))).toEqual(bad);
      const unlisted = await answered();
      expect(await refusal(send(unlisted.job, { to: listed }))).toEqual(bad);
      const { rows } = await workers.under.db.query({
        text: 'select 1 from messages where agent_id = any($1::text[])',
        values: [[agent.agentId, unlisted.agent.agentId]],
      });
      expect(rows).toHaveLength(2);
    });

    it.each<[string, object]>([
      ['a test call in a browser', { channel: 'browser', from_number: '', to_number: '' }],
      ['a chat', { channel: 'chat', from_number: '', to_number: '' }],
      ['a call of a caller without a number', { direction: 'inbound', from_number: '' }],
      ['a call of a caller whose carrier writes a word for it', { direction: 'inbound', from_number: 'anonymous' }],
      ['a call of a caller whose carrier writes digits for it', { direction: 'inbound', from_number: '+266696687' }],
    ])('has no recipient in %s, unless the settings of the tool name one', async (_, change) => {
      const listed = '+14155550123';
      const { job } = await answered(
        agentWith({ tools: [{ type: 'builtin', name: 'send_sms', config: { to: [listed] } }] }),
      );
      const stored = { to_number: job.call.from, ...change };
      const names = Object.keys(stored);
      await workers.under.db.query({
        text: `update calls set ${names.map((name, n) => `${name} = $${n + 2}`).join(', ')} where call_id = $1`,
        values: [job.call.call_id, ...Object.values(stored)],
      });
      expect(await refusal(send(job))).toEqual(bad);
      expect(await refusal(send(job, { to: '+14155550199' }))).toEqual(bad);
      expect((await send(job, { tool_call_id: 'tc_listed', to: listed })).to).toBe(listed);
    });

    it('to a suppressed number gets 423', async () => {
      const to = '+14155550177';
      const { job, agent } = await answered(
        agentWith({ tools: [{ type: 'builtin', name: 'send_sms', config: { to: [to] } }] }),
      );
      const owner = customerCaller(agent.organizationId);
      const body = { organization_id: agent.organizationId, phone_numbers: [to], reason: 'asked' };
      await workers.telephony.request(routes.createSuppressions, { caller: owner, body });
      expect(await refusal(send(job, { to }))).toEqual([423, 'SuspensionError']);
    });

    it('is rejected without the tool send_sms, with a stale epoch, by another worker, with invalid fields, and after the call has ended', async () => {
      const without = await answered(agentWith({ tools: [] }));
      expect(await refusal(send(without.job))).toEqual(stale);
      const { job, agent } = await answered();
      expect(await refusal(send({ ...job, epoch: job.epoch + 1 }))).toEqual(stale);
      expect(await refusal(send(job, {}, customerCaller(agent.organizationId)))).toEqual(stale);
      expect(await refusal(send(job, {}, customerCaller(newId('org'))))).toEqual(absent);
      expect(await refusal(send(job, { body: '' }))).toEqual(bad);
      expect(await refusal(send(job, { to: '12345' }))).toEqual(bad);
      await report(workers.telephony, job, 3, { type: 'ended', ended_reason: 'agent_hung_up' });
      expect(await refusal(send(job))).toEqual(stale);
    });
  });
});
