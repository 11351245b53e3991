import { routes } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { newId } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { addNumber, freshNumber, numbersOf, place } from './test-caller';
import { send } from './test-messages';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

describe('the from number of calls and messages', () => {
  let under: UnderTest;
  let instance: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    instance = await under.start();
  });
  afterAll(() => under.stop());

  const attempts: Readonly<Record<string, (agent: AgentForCall, body: object) => Promise<unknown>>> = {
    call: async (agent, body) => (await place(instance, agent, { body: { ...body } })).call.from,
    message: async (agent, body) => (await send(instance, agent, { body: { ...body } })).message.from,
  };

  const none = () => Promise.resolve(freshNumber());
  const ofAnotherProject = (agent: AgentForCall) => addNumber(instance, { ...agent, projectId: newId('prj') });
  const ofAnotherOrganization = () => addNumber(instance, under.fakes.addAgent());
  async function released(agent: AgentForCall): Promise<string> {
    const number = await addNumber(instance, agent);
    const [found] = (await numbersOf(instance, agent)).filter(({ phone_number: phone }) => phone === number);
    const caller = customerCaller(agent.organizationId);
    await instance.request(routes.releaseNumber, { caller, params: { number_id: found?.number_id ?? '' } });
    return number;
  }

  describe.each(Object.keys(attempts))('of a %s', (kind) => {
    const from = (agent: AgentForCall, body: object): Promise<unknown> => attempts[kind]?.(agent, body) ?? none();
    const refused = (pending: Promise<unknown>, code: string) =>
      expect(pending).rejects.toMatchObject({
        status: 400,
        code: 'BadRequestError',
        fields: { errors: [expect.objectContaining({ path: 'from', code })] },
      });

    it.each<[string, (agent: AgentForCall) => Promise<string>]>([
      ['belongs to no organization', none],
      ['belongs to another project of the organization', ofAnotherProject],
      ['belongs to another organization', ofAnotherOrganization],
      ['was released', released],
    ])('is rejected with 400 not_allowed if it %s', async (_, number) => {
      const agent = under.fakes.addAgent();
      await addNumber(instance, agent);
      await refused(from(agent, { from: await number(agent) }), 'not_allowed');
    });

    it('defaults to the only number of the project; without one or with several it is required (400)', async () => {
      const agent = under.fakes.addAgent();
      await ofAnotherProject(agent);
      await refused(from(agent, {}), 'required');
      const only = await addNumber(instance, agent);
      expect(await from(agent, {})).toBe(only);
      const second = await addNumber(instance, agent);
      await refused(from(agent, {}), 'required');
      expect(await from(agent, { from: second })).toBe(second);
    });
  });
});
