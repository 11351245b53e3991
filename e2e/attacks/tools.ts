import { Customer } from '../customer';
import { workerKey } from '../fuzz/resources';
import { claimedByWorker } from './claimed-by-worker';
import { refusal, type World } from './world';

/** Findings V9 and tools with connections of others: what tools do must not depend on what a model, a worker or a stranger names. */
export function toolAttacks(world: () => World): void {
  let owner: Customer;
  beforeAll(async () => {
    owner = await Customer.create(world().platform);
  });
  afterAll(() => owner?.close());

  const home = ({ organizationId, projectId }: Customer) => ({
    organization_id: organizationId,
    project_id: projectId,
  });
  const connectionOf = async (customer: Customer): Promise<string> => {
    const action = {
      name: 'close',
      method: 'POST',
      path: '/close',
      description: 'Closes.',
      parameters: { type: 'object' },
    };
    const { status, body } = await customer.api.post('/v1/connections', {
      ...{ ...home(customer), name: 'CRM', base_url: 'https://crm.example' },
      ...{ authentication: { type: 'none' }, actions: [action] },
    });
    expect(status).toBe(201);
    return String(body.connection_id);
  };
  const bad = [400, 'BadRequestError'];

  it('V9: a worker whose model names another recipient sends no text message from the number of the organization', async () => {
    const [listed, other] = ['+14155550123', '+14155550124'];
    const tools = [{ type: 'builtin', name: 'send_sms', config: { to: [listed] } }];
    expect((await owner.api.patch(`/v1/agents/${owner.agentId}/voice-stack`, { tools })).status).toBe(200);
    const worker = world().anonymous.as(await workerKey(world().operator, owner.organizationId));
    const { jobId, epoch } = await claimedByWorker(owner, worker, { tools: ['send_sms'] });
    const report = (seq: number, ...events: object[]) =>
      worker.post(`/v1/worker-jobs/${jobId}/reports`, { epoch, seq, events });
    expect((await report(1, { type: 'dialing' }, { type: 'answered' })).status).toBe(200);
    const send = (fields: object, nth: number) =>
      worker.post(`/v1/worker-jobs/${jobId}/messages`, { epoch, tool_call_id: `tc_${nth}`, body: 'Hello', ...fields });
    for (const [nth, fields] of [
      { to: other },
      { to: listed, config: { to: [other] } },
      { tools, to: other },
    ].entries())
      expect(refusal(await send(fields, nth))).toEqual(bad);
    const recipients = async () =>
      (await owner.api.get<{ data: { to: string }[] }>('/v1/messages')).body.data.map(({ to }) => to);
    expect(await recipients()).toEqual([]);
    for (const [nth, fields] of [{}, { to: listed }].entries())
      expect((await send(fields, nth + 10)).status).toBeLessThan(300);
    expect((await recipients()).sort()).toEqual(['+15005550006', listed].sort());
    expect((await report(2, { type: 'ended', ended_reason: 'callee_hung_up' })).status).toBe(200);
    await worker.post(`/v1/worker-jobs/${jobId}/complete`, { epoch });
  });

  it('a tool with a connection of another organization is refused on every route that saves or previews tools', async () => {
    const tools = [{ type: 'connection', connection_id: await connectionOf(world().stranger), action: 'close' }];
    const agent = `/v1/agents/${owner.agentId}`;
    const { api } = owner;
    const configuration = { agent: {}, voice_stack: { tools } };
    const answers = [
      await api.post('/v1/agents', { ...home(owner), mode: 'hosted', language: 'en', tools }),
      await api.patch(agent, { tools }),
      await api.patch(`${agent}/voice-stack`, { tools }),
      await api.put(`${agent}/configuration`, configuration),
      await api.post(`${agent}/voice-stack/preview`, { tools }),
      await api.post('/v1/agent-previews', { ...home(owner), ...configuration }),
    ];
    expect(answers.map(refusal)).toEqual(answers.map(() => bad));
  });

  it('what a tool of an agent uses is not deleted', async () => {
    const connection = await connectionOf(owner);
    const tools = [{ type: 'connection', connection_id: connection, action: 'close' }];
    const made = await owner.api.post('/v1/agents', { ...home(owner), mode: 'hosted', language: 'en', tools });
    expect(made.status).toBe(201);
    expect(refusal(await owner.api.delete(`/v1/connections/${connection}`))).toEqual([409, 'ConflictError']);
  });
}
