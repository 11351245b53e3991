import { routes, type WorkerCommand, type WorkerJob } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import type { Caller } from '@parley/runtime';
import { customerCaller, eventually, type PublicTestAnswer } from '@parley/testing';
import { auditOf } from './audit-of';
import { addNumber, claim, complete, customer, hostedCaller, place, report } from './test-caller';
import { hostedCapabilities } from './declared-workers';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const controls = ['say', 'press', 'mute', 'recording', 'hang_up'];
type Say = typeof routes.sayInCall;

/** Commands for a call in progress, from the request to the result that its worker reports. */
describe('commands for the worker of a call', () => {
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ workerLeaseSeconds: 300 });
    second = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());
  beforeEach(async () => {
    while ((await claim(telephony, 100)).length > 0);
    await under.db.query({ text: "update jobs set state = 'done', lease_expires_at = null where state = 'leased'" });
  });

  interface Talk {
    readonly agent: AgentForCall;
    readonly callId: string;
    readonly job: WorkerJob;
  }

  /** A call conducted by a worker that declares this control. */
  const talking = async (declared: readonly string[] = controls): Promise<Talk> => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent);
    const capabilities = { ...hostedCapabilities, controls: [...declared] };
    const job = await eventually(async () => (await claim(telephony, 1, 2, hostedCaller, capabilities))[0]);
    if (job === undefined) throw new Error('no job was claimed');
    expect(job.call.call_id).toBe(call.call_id);
    await report(telephony, job, 1, 'dialing');
    await report(telephony, job, 2, 'answered');
    return { agent, callId: call.call_id, job };
  };

  const say = ({ agent, callId }: Omit<Talk, 'job'>, text = 'Hello.', key = ''): Promise<PublicTestAnswer<Say>> =>
    telephony.request(routes.sayInCall, {
      caller: customerCaller(agent.organizationId),
      params: { call_id: callId },
      body: { text },
      key,
    });

  const take = async (instance: Instance, wait = 0, held: string[] = [], worker = 'w1'): Promise<WorkerCommand[]> => {
    const body = { worker_id: worker, wait_seconds: wait, held };
    return (await instance.request(routes.takeCommands, { caller: hostedCaller, body })).body.commands;
  };

  /** Waits until a worker has received a command, and returns it. */
  const taken = async (instance: Instance, worker = 'w1'): Promise<WorkerCommand> => {
    const [command] = await eventually(async () => {
      const commands = await take(instance, 2, [], worker);
      return commands.length === 0 ? undefined : commands;
    });
    if (command === undefined) throw new Error('no command came');
    return command;
  };

  const end = async (
    { job_id, epoch, command_id }: Pick<WorkerCommand, 'job_id' | 'epoch' | 'command_id'>,
    outcome: object = { outcome: 'performed' },
  ) =>
    (
      await second.request(routes.endCommand, {
        caller: hostedCaller,
        params: { job_id, command_id },
        body: { epoch, ...outcome },
      })
    ).body;

  const statesOf = async ({ callId }: Talk): Promise<string[]> => {
    const { rows } = await under.db.query<{ state: string }>({
      text: 'select state from call_commands where call_id = $1 order by position',
      values: [callId],
    });
    return rows.map(({ state }) => state);
  };

  it('are delivered to a worker that polls another replica; the request returns the outcome', async () => {
    const talk = await talking();
    const polled = taken(second);
    const asked = say(talk, 'Please hold the line.');
    const command = await polled;
    expect(command).toEqual({
      command_id: command.command_id,
      job_id: talk.job.job_id,
      epoch: talk.job.epoch,
      type: 'say',
      fields: { text: 'Please hold the line.' },
    });
    expect(await end(command)).toEqual({ command_id: command.command_id, outcome: 'performed' });
    const { body } = await asked;
    expect(body).toEqual({
      command_id: command.command_id,
      call_id: talk.callId,
      type: 'say',
      status: 'performed',
      created_at: body.created_at,
      performed_at: body.performed_at,
    });
    expect(await auditOf(under.db, talk.agent.organizationId, 'call.say')).toMatchObject([
      { subject: talk.callId, detail: { command_id: command.command_id } },
    ]);
    expect(await take(second)).toEqual([]);
  });

  it.each([
    ['pressInCall', 'press', { digits: '12#' }],
    ['muteInCall', 'mute', { muted: true }],
    ['hangUpCall', 'hang_up', undefined],
  ] as const)('%s sends the command %s', async (name, type, body) => {
    const talk = await talking();
    const caller = customerCaller(talk.agent.organizationId);
    const asked = telephony.request(routes[name], { caller, params: { call_id: talk.callId }, ...(body && { body }) });
    const command = await taken(telephony);
    expect(command).toMatchObject({ type, fields: body ?? {} });
    await end(command);
    expect((await asked).body).toMatchObject({ type, status: 'performed' });
  });

  it('are delivered in order', async () => {
    const talk = await talking();
    const asked = [];
    for (const text of ['one', 'two', 'three']) {
      asked.push(say(talk, text));
      await eventually(async () => (await statesOf(talk)).length === asked.length || undefined);
    }
    const commands = await take(telephony);
    expect(commands.map(({ fields }) => fields)).toEqual([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
    for (const command of commands) await end(command);
    await Promise.all(asked);
  });

  it.each<[string, object, [number, string]]>([
    ['unavailable', { refusal: 'unavailable' }, [409, 'control_unavailable']],
    ['call_over', { refusal: 'call_over' }, [409, 'ConflictError']],
    ['busy', { refusal: 'busy' }, [409, 'ConflictError']],
  ])('return 409 if the worker refuses with %s', async (_, why, expected) => {
    const talk = await talking();
    const asked = refusal(say(talk));
    await end(await taken(telephony), { outcome: 'refused', detail: 'no', ...why });
    expect(await asked).toEqual(expected);
  });

  it('are not sent, with 409 control_unavailable, if the worker did not declare them or the call is not recorded', async () => {
    const silent = await talking([]);
    expect(await refusal(say(silent))).toEqual([409, 'control_unavailable']);
    expect(await statesOf(silent)).toEqual([]);
    const talk = await talking();
    const request = { caller: customerCaller(talk.agent.organizationId), params: { call_id: talk.callId } };
    await under.db.query({
      text: 'update calls set recording_enabled = false where call_id = $1',
      values: [talk.callId],
    });
    expect(await refusal(telephony.request(routes.pauseRecording, request))).toEqual([409, 'control_unavailable']);
    expect(await refusal(telephony.request(routes.resumeRecording, request))).toEqual([409, 'control_unavailable']);
  });

  it('listen: the worker is instructed to send its audio, audited once; refused for calls that cannot be listened to', async () => {
    const talk = await talking(['listen']);
    const listen = ({ agent, callId }: Omit<Talk, 'job'>, again = false, checkOnly = false) => {
      const { organizationId } = agent;
      return telephony.client.listenToCall({ organizationId, callId, again, checkOnly }, customer(organizationId));
    };
    const check = (one: Omit<Talk, 'job'>) => listen(one, false, true);
    await check(talk);
    expect([await statesOf(talk), await auditOf(under.db, talk.agent.organizationId, 'call.listen')]).toEqual([[], []]);
    for (const again of [false, true]) {
      const asked = listen(talk, again);
      const command = await taken(second);
      expect(command).toMatchObject({ type: 'listen', fields: {}, job_id: talk.job.job_id });
      await end(command);
      await asked;
    }
    expect(await auditOf(under.db, talk.agent.organizationId, 'call.listen')).toMatchObject([{ subject: talk.callId }]);
    const [foreign, deaf] = [{ agent: under.fakes.addAgent(), callId: talk.callId }, await talking([])];
    await report(telephony, talk.job, 3, { type: 'ended', ended_reason: 'agent_hung_up' });
    for (const ask of [listen, check]) {
      expect(await refusal(ask(foreign))).toEqual([404, 'NotFoundError']);
      expect(await refusal(ask(deaf))).toEqual([409, 'control_unavailable']);
      expect(await refusal(ask(talk))).toEqual([409, 'ConflictError']);
    }
  });

  it('checkLease accepts only the current lease of a call in progress', async () => {
    const { job, callId, agent } = await talking(['listen']);
    const check = (caller: Caller, epoch = job.epoch, jobId = job.job_id) => {
      const lease = { organizationId: '', jobId, epoch: String(epoch) };
      return telephony.client.checkLease(lease, { requestId: 'test', caller });
    };
    expect(await check(hostedCaller)).toEqual({ callId });
    expect(await refusal(check(hostedCaller, 0))).toEqual([400, 'BadRequestError']);
    expect(await refusal(check(hostedCaller, job.epoch + 1))).toEqual([409, 'ConflictError']);
    expect(await refusal(check(hostedCaller, job.epoch, 'job_x'))).toEqual([404, 'NotFoundError']);
    expect(await refusal(check(customerCaller(under.fakes.addAgent().organizationId)))).toEqual([404, 'NotFoundError']);
    // The job belongs to a hosted worker; the key is one of the organization.
    expect(await refusal(check(customerCaller(agent.organizationId)))).toEqual([409, 'ConflictError']);
    await report(telephony, job, 3, { type: 'ended', ended_reason: 'agent_hung_up' });
    expect(await refusal(check(hostedCaller))).toEqual([409, 'ConflictError']);
  });

  it("get 409 for a call that is not in progress, and 404 for another organization's", async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent);
    const queued = { agent, callId: call.call_id };
    expect(await refusal(say(queued))).toEqual([409, 'ConflictError']);
    const foreign = { ...queued, agent: under.fakes.addAgent() };
    expect(await refusal(say(foreign))).toEqual([404, 'NotFoundError']);
    const talk = await talking().catch(() => undefined);
    if (talk === undefined) return;
    await report(telephony, talk.job, 3, { type: 'ended', ended_reason: 'agent_hung_up' });
    await complete(telephony, talk.job);
    expect(await refusal(say(talk))).toEqual([409, 'ConflictError']);
  });

  it.each<[string, 'sayInCall' | 'pressInCall' | 'muteInCall', object]>([
    ['no text', 'sayInCall', {}],
    ['a blank text', 'sayInCall', { text: ' ' }],
    ['1,001 characters', 'sayInCall', { text: 'x'.repeat(1001) }],
    ['no keys', 'pressInCall', { digits: '' }],
    ['33 keys', 'pressInCall', { digits: '1'.repeat(33) }],
    ['a letter', 'pressInCall', { digits: '1a' }],
    ['a text in place of a boolean', 'muteInCall', { muted: 'yes' }],
  ])('with %s get 400 and are not sent', async (_, name, body) => {
    const talk = await talking();
    const caller = customerCaller(talk.agent.organizationId);
    const asked = telephony.request(routes[name], { caller, params: { call_id: talk.callId }, body });
    expect(await refusal(asked)).toEqual([400, 'BadRequestError']);
    expect(await statesOf(talk)).toEqual([]);
  });

  it('fail as worker_unreachable if no worker polls in time, and are not performed later', async () => {
    const talk = await talking();
    expect(await refusal(say(talk, 'Hello.', 'k1'))).toEqual([503, 'worker_unreachable']);
    expect(await take(telephony)).toEqual([]);
    expect(await statesOf(talk)).toEqual(['expired']);
    // The same key creates the command again, because it was not performed.
    const asked = say(talk, 'Hello.', 'k1');
    await end(await taken(telephony));
    expect((await asked).replayed).toBe(false);
    expect(await statesOf(talk)).toEqual(['expired', 'performed']);
  });

  it('fail as worker_unreachable if the worker reports no outcome in time; the same key returns the outcome later', async () => {
    const talk = await talking();
    const asked = refusal(say(talk, 'Hello.', 'k2'));
    const command = await taken(telephony);
    expect(await asked).toEqual([503, 'worker_unreachable']);
    await end(command);
    const again = await say(talk, 'Hello.', 'k2');
    expect(again).toMatchObject({ replayed: true, body: { command_id: command.command_id } });
    expect(await statesOf(talk)).toEqual(['performed']);
  });

  it('are sent once for concurrent requests with one Idempotency-Key', async () => {
    const talk = await talking();
    const asked = [1, 2, 3].map(() => say(talk, 'Once.', 'k3'));
    await end(await taken(telephony));
    const ids = new Set((await Promise.all(asked)).map(({ body }) => body.command_id));
    expect(ids.size).toBe(1);
    expect(await statesOf(talk)).toEqual(['performed']);
    expect(await refusal(say(talk, 'Another.', 'k3'))).toEqual([409, 'ConflictError']);
  });

  it('are sent again to a worker until it reports the outcome, unless it lists them as held', async () => {
    const talk = await talking();
    const asked = say(talk);
    const command = await taken(telephony);
    expect(await take(second)).toEqual([command]);
    expect(await take(second, 0, [command.command_id])).toEqual([]);
    await end(command);
    await end(command);
    // The first result counts.
    expect(await end(command, { outcome: 'refused' })).toMatchObject({ outcome: 'performed' });
    await asked;
  });

  it('move with the call to another worker if they were not delivered yet; delivered ones are never sent again', async () => {
    const talk = await talking();
    const asked = [refusal(say(talk, 'taken'))];
    const command = await taken(telephony);
    asked.push(refusal(say(talk, 'waiting')).catch(() => [0, 'performed'] as [number, string]));
    await eventually(async () => (await statesOf(talk)).length === 2 || undefined);
    await under.db.query({
      text: "update jobs set worker_id = 'w2', epoch = epoch + 1 where job_id = $1",
      values: [talk.job.job_id],
    });
    expect(await take(telephony)).toEqual([]);
    const [moved, ...others] = await take(telephony, 2, [], 'w2');
    expect(others).toEqual([]);
    expect(moved).toMatchObject({ fields: { text: 'waiting' }, epoch: talk.job.epoch + 1 });
    // The old worker's epoch is stale, so it cannot report a result of the new worker's command either.
    expect(await refusal(end(command))).toEqual([409, 'ConflictError']);
    expect(await refusal(end({ ...command, epoch: command.epoch + 1 }))).toEqual([409, 'ConflictError']);
    await end(moved as WorkerCommand);
    expect(await asked[0]).toEqual([503, 'worker_unreachable']);
    await asked[1];
    expect(await statesOf(talk)).toEqual(['taken', 'performed']);
  });

  it("for a hosted worker are not delivered to the organization's own workers", async () => {
    const talk = await talking();
    const asked = refusal(say(talk));
    await eventually(async () => (await statesOf(talk)).length === 1 || undefined);
    const own = customerCaller(talk.agent.organizationId);
    const body = { worker_id: 'w1' };
    const { body: none } = await telephony.request(routes.takeCommands, { caller: own, body });
    expect(none.commands).toEqual([]);
    await end(await taken(telephony));
    await expect(asked).rejects.toThrow('nothing was refused');
  });

  it('get 409 if the call ends before a worker polls', async () => {
    const talk = await talking();
    const asked = refusal(say(talk));
    await eventually(async () => (await statesOf(talk)).length === 1 || undefined);
    await report(telephony, talk.job, 3, { type: 'ended', ended_reason: 'callee_hung_up' });
    expect(await asked).toEqual([409, 'ConflictError']);
    expect(await statesOf(talk)).toEqual(['expired']);
  });
});
