import { Customer } from './customer';
import { Player } from './mcp-tasks/player';
import { conversations } from './mcp-tasks/recorded';
import { Platform } from './platform';

const dayMs = 86_400_000;

/** Tasks of an assistant, played without a model: each call is one that tools/list allows, and its result is what the next one builds on. */
describe('recorded conversations over MCP', () => {
  let platform: Platform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await Platform.shared();
    customer = await Customer.create(platform);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  it.each(conversations)('$user', async ({ calls }) => {
    const known = {
      practice: customer.agentId,
      tomorrow: new Date(Date.now() + dayMs).toISOString(),
      yesterday: new Date(Date.now() - dayMs).toISOString(),
    };
    const player = await Player.connect(`${platform.baseUrls[0] ?? ''}/mcp`, customer.key, known);
    for (const call of calls) await player.play(call);
  });

  it('are at least ten, and a different result fails', async () => {
    expect(conversations.length).toBeGreaterThanOrEqual(10);
    const player = await Player.connect(`${platform.baseUrls[0] ?? ''}/mcp`, customer.key, {});
    await expect(player.play({ tool: 'list_agents', shows: { data: [{ name: 'No such agent' }] } })).rejects.toThrow(
      'list_agents',
    );
    await expect(player.play({ tool: 'get_agent', arguments: { agent_id: 'agt_x' } })).rejects.toThrow('NotFoundError');
    await expect(player.play({ tool: 'place_call', arguments: { to: '+15005550006' } })).rejects.toThrow(
      'the arguments of place_call',
    );
    await expect(player.play({ tool: 'no_such_tool' })).rejects.toThrow('tools/list has no no_such_tool');
  });
});
