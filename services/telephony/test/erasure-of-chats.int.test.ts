import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { routes, type WorkerCapabilities, type WorkerJob } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { documentOf, newId } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { eraseMessages } from '../src/books/erasure/erase';
import { noteChatOfReply } from '../src/messages/replies.sql';
import { createErasure, eraseCall, getErasure, tablesWith } from './erasing';
import { addNumber, complete, freshNumber, hostedCaller, read, report } from './test-caller';
import { declareWorkers, hostedCapabilities } from './declared-workers';
import { eventsOf, listMessages, send, webhook } from './test-messages';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const withChat: WorkerCapabilities = {
  ...hostedCapabilities,
  carriers: ['chat', 'simulator'],
  providers: { stt: [], llm: ['simulator'], tts: [] },
  tools: ['webhook'],
  controls: ['chat'],
};

describe('erasure of what agents answered to messages', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    await declareWorkers(under.db, withChat);
    telephony = await under.start({ simulatorWebhookToken: 'sim-token', workerLeaseSeconds: 300 });
    under.fakes.logged.events = 1_000;
  });
  afterAll(() => under.stop());

  const query = async <Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await under.db.query<Row>({ text, values })).rows;

  interface Pair {
    readonly agent: AgentForCall;
    readonly ours: string;
    readonly theirs: string;
  }
  const prepared = async (): Promise<Pair> => {
    const tuning = documentOf('CallTuning', {
      opening: { first_speaker: 'agent' },
      tools: [],
      recording_enabled: false,
      answers_messages: true,
    });
    const agent = under.fakes.addAgent({ tuning });
    const ours = await addNumber(telephony, agent, freshNumber(), { inboundAgentId: agent.agentId });
    return { agent, ours, theirs: freshNumber() };
  };
  const receive = ({ ours, theirs }: Pair, Body: string) =>
    webhook(telephony, {}, { MessageSid: `SM${newId('msg').slice(4)}`, From: theirs, To: ours, Body });

  /** Takes the next command like a worker. */
  const taken = () =>
    eventually(async () => {
      const body = { worker_id: 'w1', wait_seconds: 1 };
      return (await telephony.request(routes.takeCommands, { caller: hostedCaller, body })).body.commands[0];
    });
  /** Performs the next command, or the one that was taken. */
  const perform = async (job: WorkerJob, agent_text: string, given?: Awaited<ReturnType<typeof taken>>) => {
    const command = given ?? (await taken());
    await telephony.request(routes.endCommand, {
      caller: hostedCaller,
      params: { job_id: job.job_id, command_id: command.command_id },
      body: {
        epoch: job.epoch,
        outcome: 'performed',
        result: { turn_id: 'turn_1', agent_text, tool_calls: [], status: 'open' },
      },
    });
  };

  /** A chat in progress, in which the agent has answered one message. */
  const answered = async (pair: Pair, secret: string): Promise<WorkerJob> => {
    await receive(pair, `I am ${secret}`);
    const job = await eventually(async () => {
      const body = { kinds: ['call'], capacity: 1, worker_id: 'w1', wait_seconds: 1, capabilities: withChat };
      return (await telephony.request(routes.claimWorkerJobs, { caller: hostedCaller, body })).body.jobs[0];
    });
    await report(telephony, job, 1, { type: 'answered' }, { type: 'media_started' });
    await perform(job, 'Good morning.');
    await perform(job, `Hello ${secret}`);
    await eventually(async () => {
      const { data } = await listMessages(telephony, pair.agent.organizationId, { direction: 'outbound' });
      return data.find(({ to, status }) => to === pair.theirs && status === 'delivered');
    });
    return job;
  };
  const ends = async (job: WorkerJob, secret: string) => {
    await report(telephony, job, 2, { type: 'ended', ended_reason: 'caller_hung_up', elapsed_ms: 1_000 });
    const text = `I am ${secret}`;
    await complete(telephony, job, { turns: [{ speaker: 'callee', text, started_ms: 0, ended_ms: 900 }] });
  };
  const chatOf = async (pair: Pair, secret: string): Promise<string> => {
    const job = await answered(pair, secret);
    await ends(job, secret);
    return job.call.call_id;
  };

  const erased = async ({ agent: { organizationId }, theirs }: Pair) => {
    const { erasure_id: erasureId } = await createErasure(telephony, organizationId, theirs);
    return through(organizationId, erasureId);
  };
  const through = (organizationId: string, erasureId: string) =>
    eventually(
      async () => {
        const erasure = await getErasure(telephony, organizationId, erasureId);
        return erasure.status === 'done' ? erasure : undefined;
      },
      { timeoutMs: 30_000 },
    );
  /** Tables other than the outbox, in which events of messages remain until its partition is dropped. */
  const found = async (text: string) => (await tablesWith(under.db, text)).filter((table) => table !== 'outbox');
  const isErased = async ({ agent }: Pair, callId: string) => (await read(telephony, agent, callId)).erased_at !== null;
  const messagesOf = async ({ agent }: Pair) =>
    (
      await query<{ message_id: string }>(
        'select message_id from messages where organization_id = $1 order by message_id',
        agent.organizationId,
      )
    ).map(({ message_id: messageId }) => messageId);
  const eraseMessagesOf = async (pair: Pair) => {
    const { organizationId } = pair.agent;
    const messages = await messagesOf(pair);
    await under.db.transaction((tx) => eraseMessages(tx, { organizationId, erasureId: null }, messages));
  };
  /** As if the previous release had begun the chat. */
  const forgetLink = async (callId: string) => {
    await query('delete from message_chats where call_id = $1', callId);
    await query('delete from message_replies where call_id = $1', callId);
  };

  it('of a number erases its chats with their copies, and not those of another number or organization', async () => {
    const pair = await prepared();
    const other = { ...pair, theirs: freshNumber() };
    const stranger = { ...(await prepared()), theirs: pair.theirs };
    const chat = await chatOf(pair, 'chatter-1');
    const kept = [await chatOf(other, 'chatter-2'), await chatOf(stranger, 'chatter-3')];
    expect(await found('chatter-1')).toEqual(
      expect.arrayContaining(['call_commands', 'idempotency', 'messages', 'transcripts']),
    );
    expect((await erased(pair)).progress).toEqual({ calls: 1, messages: 2, contacts: 0, copies_left: 0 });
    expect(await found('chatter-1')).toEqual([]);
    expect(await isErased(pair, chat)).toBe(true);
    expect(under.fakes.erasedCopies.filter(({ resourceId }) => resourceId === chat)).toHaveLength(1);
    expect([await isErased(other, kept[0] ?? ''), await isErased(stranger, kept[1] ?? '')]).toEqual([false, false]);
    expect((await query('select 1 from message_chats where call_id = $1', chat)).length).toBe(0);
  });

  it('of a number waits for a chat in progress', async () => {
    const pair = await prepared();
    const { organizationId } = pair.agent;
    const job = await answered(pair, 'chatter-4');
    const { erasure_id: erasureId } = await createErasure(telephony, organizationId, pair.theirs);
    await eventually(async () => ((await found(pair.theirs)).includes('messages') ? undefined : true));
    const running = await getErasure(telephony, organizationId, erasureId);
    expect(running).toMatchObject({ status: 'running', progress: { calls: 0, messages: 2 } });
    await ends(job, 'chatter-4');
    expect((await through(organizationId, erasureId)).progress).toMatchObject({ calls: 1 });
    expect(await found('chatter-4')).toEqual([]);
  });

  it.each([
    ['', () => Promise.resolve()],
    [' by the previous release, which began the chat', forgetLink],
  ])('of a number erases the chats also if the messages were erased before%s', async (_, before) => {
    const pair = await prepared();
    const chat = await chatOf(pair, 'chatter-5');
    await before(chat);
    await eraseMessagesOf(pair);
    expect(await isErased(pair, chat)).toBe(false);
    expect((await erased(pair)).progress).toMatchObject({ calls: 1, messages: 0 });
    expect(await found('chatter-5')).toEqual([]);
  });

  it('of a number does not erase a call that a customer only named in the metadata of a message', async () => {
    const pair = await prepared();
    const chat = await chatOf(pair, 'chatter-6');
    await forgetLink(chat);
    const [incoming = ''] = await messagesOf(pair);
    const other = { ...pair, theirs: freshNumber() };
    const metadata = { reply_to: incoming, call_id: chat };
    const { message } = await send(telephony, pair.agent, {
      body: { from: pair.ours, to: other.theirs, body: 'Hello', metadata },
    });
    await eventually(async () => {
      const { data } = await listMessages(telephony, pair.agent.organizationId, { direction: 'outbound' });
      return data.find(({ message_id: id, status }) => id === message.message_id && status === 'delivered');
    });
    await erased(other);
    expect(await isErased(pair, chat)).toBe(false);
  });

  it('of a chat removes the person, and it is not noted again when its messages are erased', async () => {
    const pair = await prepared();
    const chat = await chatOf(pair, 'chatter-7');
    await eraseCall(telephony, pair.agent.organizationId, chat);
    await eraseMessagesOf(pair);
    expect(await query('select 1 from message_chats where call_id = $1', chat)).toEqual([]);
    expect((await erased(pair)).progress).toMatchObject({ calls: 0 });
  });

  it('of a message lets no chat begin for it', async () => {
    const pair = await prepared();
    await chatOf(pair, 'chatter-8');
    const [messageId = ''] = await messagesOf(pair);
    await eraseMessagesOf(pair);
    const callId = newId('call');
    const { organizationId } = pair.agent;
    expect(await noteChatOfReply(under.db, { organizationId, messageId }, callId)).toBe(false);
    expect(await query('select 1 from message_chats where call_id = $1', callId)).toEqual([]);
  });

  it('of a message while the agent answers it: the answer is not sent', async () => {
    const pair = await prepared();
    const job = await answered(pair, 'chatter-10');
    await receive(pair, 'And on Sunday?');
    const command = await taken();
    await eraseMessagesOf(pair);
    await perform(job, 'Closed.', command);
    const { organizationId } = pair.agent;
    await eventually(async () => {
      const open = 'select 1 from message_replies where organization_id = $1 and due_at is not null';
      return (await query(open, organizationId)).length === 0 ? true : undefined;
    });
    expect((await listMessages(telephony, organizationId)).data).toEqual([]);
    await ends(job, 'chatter-10');
  });

  it('of a message ends its translation: a text that the provider returns later is neither stored nor published', async () => {
    const asked: ServerResponse[] = [];
    const provider = createServer((_, response) => asked.push(response));
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const own = await telephonyUnderTest();
    try {
      const { port } = provider.address() as AddressInfo;
      const deeplApiUrl = `http://127.0.0.1:${port}`;
      const instance = await own.start({ translationProvider: 'deepl', deeplApiUrl, deeplAuthKey: 'deepl-key' });
      const translation = { enabled: true, target_language: 'de', scope: 'messages' };
      const tuning = documentOf('CallTuning', { tools: [], recording_enabled: false, translation });
      const agent = own.fakes.addAgent({ tuning });
      await addNumber(instance, agent);
      const { organizationId } = agent;
      const { message } = await send(instance, agent, { body: { body: 'See you' } });
      const of = { text: 'select * from messages where message_id = $1', values: [message.message_id] };
      const row = async () => (await own.db.query<Record<string, unknown>>(of)).rows[0];
      const response = await eventually(() => asked[0]);
      await eventually(async () => ((await row())?.['status'] === 'delivered' ? true : undefined));
      await own.db.transaction((tx) => eraseMessages(tx, { organizationId, erasureId: null }, [message.message_id]));
      expect(await row()).toMatchObject({ translation_status: 'failed', translation_reason: 'text_gone' });
      // As the previous release leaves it.
      await own.db.query({
        text: "update messages set translation_status = 'pending', translation_reason = null where message_id = $1",
        values: [message.message_id],
      });
      const before = await eventsOf(own, message.message_id);
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ translations: [{ text: 'chatter-9' }] }));
      // The runner stops when it has stored what it was waiting for.
      await instance.stop();
      expect(await row()).toMatchObject({ translation_status: 'pending', translation_body: null });
      expect(await tablesWith(own.db, 'chatter-9')).toEqual([]);
      expect(await eventsOf(own, message.message_id)).toEqual(before);
    } finally {
      await own.stop();
      await new Promise((resolve) => provider.close(resolve));
    }
  });
});
