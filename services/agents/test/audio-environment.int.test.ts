import { serviceCaller } from '@parley/runtime';
import { refreshProjections } from '../src/agents/refresh-projections';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

describe('an audio environment with a preset that no longer exists', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const environment = async (agentId: string): Promise<Json> => (await customer.stack(agentId)).body.audio_environment;

  /** Creates an agent with a preset that only another version supports. */
  const withoutItsPreset = async (): Promise<string> => {
    const agentId = await customer.agent({ language: 'en' });
    await customer.save(agentId, { audio_environment: { preset: 'office', volume: 0.3 } });
    await platform.rows(
      `update agents set document = replace(document, '"office"', '"beach"'), catalogue_version = 'older' where agent_id = $1`,
      [agentId],
    );
    await refreshProjections(platform.dependencies, { requestId: 'test', caller: serviceCaller });
    return agentId;
  };
  const shown = { invalid: true, stored: { preset: 'beach', volume: 0.3 } };

  it('is returned as invalid, with the stored value', async () => {
    expect(await environment(await withoutItsPreset())).toEqual(shown);
  });

  it('is kept if it is sent back as returned or omitted', async () => {
    const agentId = await withoutItsPreset();
    await customer.save(agentId, { audio_environment: shown, first_message: 'Hello' });
    expect(await environment(agentId)).toEqual(shown);
    await customer.save(agentId, { first_message: 'Hi' });
    expect(await environment(agentId)).toEqual(shown);
  });

  it('sending the old preset returns 400, another preset replaces it, and null resets it', async () => {
    const agentId = await withoutItsPreset();
    const before = await customer.stack(agentId);
    await expect(customer.save(agentId, { audio_environment: shown.stored })).rejects.toMatchObject({ status: 400 });
    expect(await customer.stack(agentId)).toEqual(before);
    await customer.save(agentId, { audio_environment: { preset: 'street' } });
    expect(await environment(agentId)).toEqual({ preset: 'street' });
    const other = await withoutItsPreset();
    await customer.save(other, { audio_environment: null });
    expect(await environment(other)).toBeUndefined();
  });
});
