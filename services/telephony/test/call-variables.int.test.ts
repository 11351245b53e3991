import { documentOf } from '@parley/runtime';
import { addNumber, place } from './test-caller';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const config = {
  variables: [
    { name: 'who', type: 'string', required: true },
    { name: 'count', type: 'number', required: false, default: 2 },
  ],
};

describe('variables of calls', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ workerLeaseSeconds: 300 });
  });
  afterAll(() => under.stop());

  const declaring = async () => {
    const agent = under.fakes.addAgent({ variables: documentOf('VariablesConfig', config) });
    await addNumber(telephony, agent);
    return agent;
  };

  it('contain the sent values, and defaults for the others', async () => {
    const agent = await declaring();
    const { call } = await place(telephony, agent, { body: { variables: { who: 'Ada', more: true } } });
    expect(call.variables).toEqual({ who: 'Ada', count: 2, more: true });
  });

  it.each([
    ['who', undefined],
    ['who', {}],
    ['who', { who: 5 }],
    ['count', { who: 'Ada', count: '2' }],
  ])('400 naming %s for %j, and no call is created', async (name, variables) => {
    const agent = await declaring();
    const pending = place(telephony, agent, { body: { variables } });
    await expect(pending).rejects.toThrow(new RegExp(`^variables\\.${name} `));
    expect(await refusal(pending)).toEqual([400, 'BadRequestError']);
    const { rows } = await under.db.query({ text: 'select 1 from calls where agent_id = $1', values: [agent.agentId] });
    expect(rows).toEqual([]);
  });

  it('accept any value if the agent declares none', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
    const { call } = await place(telephony, agent, { body: { variables: { any: [1] } } });
    expect(call.variables).toEqual({ any: [1] });
  });
});
