import { routes, type WorkerCapabilities, type WorkerJob } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { documentOf, newId } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { addNumber, claim, complete, freshNumber, hostedCaller, place, report } from './test-caller';
import { declareWorkers, hostedCapabilities } from './declared-workers';
import { setPolicy } from './organization-of';
import { listMessages, webhook } from './test-messages';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const withChat: WorkerCapabilities = {
  ...hostedCapabilities,
  carriers: ['chat', 'simulator'],
  providers: { stt: [], llm: ['simulator'], tts: [] },
  tools: ['webhook'],
  controls: ['chat'],
};
const settings = { simulatorWebhookToken: 'sim-token', workerLeaseSeconds: 300 };

describe('replies to incoming messages', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    await declareWorkers(under.db, withChat);
    telephony = await under.start(settings);
    second = await under.start(settings);
  });
  afterAll(() => under.stop());

  interface Pair {
    readonly agent: AgentForCall;
    readonly ours: string;
    readonly theirs: string;
  }

  const prepared = async ({ answers = false, attached = true, language = 'en-US' } = {}): Promise<Pair> => {
    const tuning = documentOf('CallTuning', {
      opening: { first_speaker: 'agent' },
      tools: [],
      recording_enabled: false,
      ...(answers && { answers_messages: true }),
    });
    const agent = under.fakes.addAgent({ tuning, language });
    const inboundAgentId = attached ? agent.agentId : null;
    const ours = await addNumber(telephony, agent, freshNumber(), { inboundAgentId });
    return { agent, ours, theirs: freshNumber() };
  };
  const sid = () => `SM${newId('msg').slice(4)}`;
  const receive = ({ ours, theirs }: Pair, Body: string, fields: Record<string, string> = {}, by = telephony) =>
    webhook(by, {}, { MessageSid: sid(), From: theirs, To: ours, Body, ...fields });

  /** The messages to the sender, oldest first. */
  const sent = async ({ agent, theirs }: Pair) => {
    const { data } = await listMessages(telephony, agent.organizationId, { direction: 'outbound' });
    return data.filter(({ to }) => to === theirs).reverse();
  };
  const sentTo = (pair: Pair, count: number) =>
    eventually(async () => {
      const messages = await sent(pair);
      return messages.length >= count && messages.every(({ status }) => status !== 'queued') ? messages : undefined;
    });
  /** Waits until all replies are done. */
  const settled = ({ agent }: Pair) =>
    eventually(async () => {
      const { rows } = await under.db.query<{ left: boolean }>({
        text: 'select exists (select 1 from message_replies where organization_id = $1 and due_at is not null) as left',
        values: [agent.organizationId],
      });
      return rows[0]?.left === false ? true : undefined;
    });

  describe('STOP, START and HELP', () => {
    it('are each confirmed once; between STOP and START only the confirmation of STOP is sent', async () => {
      const pair = await prepared();
      await receive(pair, 'HELP');
      // Messages that are not sent yet when STOP arrives are never sent.
      await sentTo(pair, 1);
      for (const word of ['STOP', 'STOP', 'HELP', 'START', 'START']) await receive(pair, word);
      const messages = await sentTo(pair, 3);
      await settled(pair);
      expect(await sent(pair)).toHaveLength(3);
      expect(messages.map(({ metadata }) => metadata['confirms'])).toEqual(['help', 'stop', 'start']);
      const of = { agent_id: pair.agent.agentId, from: pair.ours, to: pair.theirs, direction: 'outbound' };
      for (const message of messages) expect(message).toMatchObject(of);
      expect(messages.map(({ error }) => error)).toEqual([null, null, null]);
      expect(messages[1]?.body).toContain('START');
    });

    it('are confirmed in the language of the agent, or in English if the number has no agent', async () => {
      const german = await prepared({ language: 'de-DE' });
      await receive(german, 'STOP');
      expect((await sentTo(german, 1))[0]?.body).toContain('abgemeldet');
      const none = await prepared({ attached: false });
      await receive(none, 'STOP');
      expect(await sentTo(none, 1)).toMatchObject([{ agent_id: null, body: expect.stringContaining('unsubscribed') }]);
    });

    it('a MessageSid delivered several times on two instances is confirmed once', async () => {
      const pair = await prepared();
      const fields = { MessageSid: sid() };
      await Promise.all(
        Array.from({ length: 6 }, (_, index) => receive(pair, 'STOP', fields, index % 2 ? telephony : second)),
      );
      await sentTo(pair, 1);
      await settled(pair);
      expect(await sent(pair)).toHaveLength(1);
    });

    it('are not confirmed if the carrier confirmed already (OptOutType), or if the sender is a short code', async () => {
      const pair = await prepared();
      await receive(pair, 'STOP', { OptOutType: 'STOP' });
      await receive(pair, 'HELP', { From: '12345' });
      const { rows } = await under.db.query({
        text: 'select 1 from message_replies where organization_id = $1',
        values: [pair.agent.organizationId],
      });
      expect(rows).toEqual([]);
    });

    it('the outbound policy of the organization applies to confirmations', async () => {
      const pair = await prepared();
      await setPolicy(telephony, pair.agent.organizationId, {
        destination_countries: { mode: 'enforce', list: 'allow', countries: ['DE'] },
      });
      await receive(pair, 'HELP');
      expect(await sentTo(pair, 1)).toMatchObject([{ status: 'failed', error: { code: 'policy_refused' } }]);
    });

    it('at most 20 confirmations an hour are sent to one number', async () => {
      const pair = await prepared();
      for (let sentWords = 0; sentWords < 25; sentWords += 1) await receive(pair, 'HELP');
      await settled(pair);
      expect(await sent(pair)).toHaveLength(20);
    });

    it('are not confirmed during maintenance, but after it', async () => {
      const pair = await prepared();
      const obeyed = async () => {
        for (const instance of [telephony, second])
          await eventually(async () => {
            await place(instance, pair.agent);
            return (await claim(instance, 100)).length === 0 ? true : undefined;
          });
      };
      under.fakes.control.maintenance = true;
      try {
        await obeyed();
        await receive(pair, 'STOP');
        await obeyed();
        expect(await sent(pair)).toEqual([]);
        const { rows } = await under.db.query({
          text: 'select attempts from message_replies where organization_id = $1 and due_at is not null',
          values: [pair.agent.organizationId],
        });
        expect(rows).toEqual([{ attempts: 0 }]);
      } finally {
        under.fakes.control.maintenance = false;
      }
      expect(await sentTo(pair, 1)).toMatchObject([{ metadata: { confirms: 'stop' } }]);
    });
  });

  describe('by an agent', () => {
    const claimed = () =>
      eventually(async () => {
        const body = { kinds: ['call'], capacity: 1, worker_id: 'w1', wait_seconds: 1, capabilities: withChat };
        return (await second.request(routes.claimWorkerJobs, { caller: hostedCaller, body })).body.jobs[0];
      });
    /** Performs the next command like a worker. */
    const perform = async (job: WorkerJob, agent_text: string) => {
      const command = await eventually(async () => {
        const body = { worker_id: 'w1', wait_seconds: 1 };
        return (await second.request(routes.takeCommands, { caller: hostedCaller, body })).body.commands[0];
      });
      const result = { turn_id: 'turn_1', agent_text, tool_calls: [], status: 'open' };
      await second.request(routes.endCommand, {
        caller: hostedCaller,
        params: { job_id: job.job_id, command_id: command.command_id },
        body: { epoch: job.epoch, outcome: 'performed', result },
      });
      return command.fields;
    };

    const opened = async (): Promise<WorkerJob> => {
      const job = await claimed();
      await report(second, job, 1, { type: 'answered' }, { type: 'media_started' });
      expect(await perform(job, 'Good morning.')).toEqual({});
      return job;
    };

    it('are off by default', async () => {
      const pair = await prepared();
      await receive(pair, 'Are you open?');
      await settled(pair);
      expect(await sent(pair)).toEqual([]);
    });

    it("are the agent's turns of a chat; the next incoming message continues the chat", async () => {
      const pair = await prepared({ answers: true });
      await receive(pair, 'Are you open?');
      const job = await opened();
      expect(job.call).toMatchObject({ channel: 'chat', agent_id: pair.agent.agentId });
      expect(await perform(job, 'Until six.')).toEqual({ text: 'Are you open?' });
      const [first] = await sentTo(pair, 1);
      expect(first).toMatchObject({ body: 'Until six.', from: pair.ours, metadata: { call_id: job.call.call_id } });
      await receive(pair, 'And on Sunday?');
      expect(await perform(job, 'Closed.')).toEqual({ text: 'And on Sunday?' });
      expect((await sentTo(pair, 2)).map(({ body }) => body)).toEqual(['Until six.', 'Closed.']);
    });

    it('start a new chat if the first has ended, and do not repeat its messages', async () => {
      const pair = await prepared({ answers: true });
      await receive(pair, 'Hello');
      const job = await opened();
      await perform(job, 'Hello, how can I help?');
      await sentTo(pair, 1);
      await report(second, job, 2, { type: 'ended', ended_reason: 'caller_hung_up', elapsed_ms: 1_000 });
      await complete(second, job, { turns: [] });
      await receive(pair, 'Still there?');
      const next = await opened();
      expect(next.call.call_id).not.toBe(job.call.call_id);
      expect(await perform(next, 'Yes.')).toEqual({ text: 'Still there?' });
      expect((await sentTo(pair, 2)).map(({ body }) => body)).toEqual(['Hello, how can I help?', 'Yes.']);
    });

    it('are sent once, by another instance, if the instance that received the message stops', async () => {
      const pair = await prepared({ answers: true });
      const dying = await under.start(settings);
      await receive(pair, 'Are you open?', {}, dying);
      const job = await opened();
      const asked = await eventually(async () => {
        const body = { worker_id: 'w1', wait_seconds: 1 };
        return (await second.request(routes.takeCommands, { caller: hostedCaller, body })).body.commands[0];
      });
      // As after a crash: the lease of the process that asked the agent expires, and others ask again while the agent is still answering.
      await under.db.query({
        text: 'update message_replies set due_at = now() where organization_id = $1 and due_at is not null',
        values: [pair.agent.organizationId],
      });
      const result = { turn_id: 'turn_1', agent_text: 'Until six.', tool_calls: [], status: 'open' };
      await second.request(routes.endCommand, {
        caller: hostedCaller,
        params: { job_id: job.job_id, command_id: asked.command_id },
        body: { epoch: job.epoch, outcome: 'performed', result },
      });
      await dying.stop();
      await settled(pair);
      expect((await sent(pair)).map(({ body }) => body)).toEqual(['Until six.']);
    });

    it('are not sent to a suppressed sender, by an inactive agent, or if the answer is empty', async () => {
      const pair = await prepared({ answers: true });
      await receive(pair, 'STOP');
      await sentTo(pair, 1);
      await receive(pair, 'Are you open?');
      await settled(pair);
      expect(await sent(pair)).toHaveLength(1);
      const inactive = await prepared({ answers: true });
      Object.assign(inactive.agent, { status: 'inactive' });
      await receive(inactive, 'Are you open?');
      await settled(inactive);
      expect(await sent(inactive)).toEqual([]);
      const silent = await prepared({ answers: true });
      await receive(silent, 'Are you open?');
      await perform(await opened(), '');
      await settled(silent);
      expect(await sent(silent)).toEqual([]);
    });
  });
});
