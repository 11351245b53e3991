import { ControlState } from '@parley/proto/auth';
import { newId } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { TestGateway } from './test-gateway';

/** docs/reference/keys.md: one organization revokes keys continuously. */
describe('while one organization revokes 100 keys a second', () => {
  it('keys of another organization stay cached, and a revoked one of them is refused', async () => {
    const gateway = await TestGateway.start();
    const { services } = gateway;
    // More than a process keeps.
    const history = Array.from({ length: 12_000 }, () => newId('key'));
    let epoch = 12_001n;
    let flooding = false;
    const known = new Map<bigint, string[]>([[epoch, history]]);
    services.overrides = {
      auth: {
        getControlState: async ({ sinceEpoch }) => {
          if (flooding)
            known.set(
              (epoch += 20n),
              Array.from({ length: 20 }, () => newId('key')),
            );
          const newer = [...known].filter(([at]) => at > BigInt(sinceEpoch));
          return ControlState.fromPartial({
            epoch: String(epoch),
            revokedKeyIds: newer.flatMap(([, keyIds]) => keyIds),
          });
        },
      },
    };
    const polls = () => services.callsOf('getControlState').length;
    const polled = async (count: number): Promise<void> => {
      const until = polls() + count;
      await eventually(async () => (polls() >= until ? true : undefined));
    };
    await polled(2);
    const victim = newId('org');
    const keyIds = Array.from({ length: 50 }, () => newId('key'));
    const tokens = keyIds.map((keyId) => services.token({ organizationId: victim, keyId, epoch: String(epoch) }));
    const use = async (): Promise<number[]> =>
      Promise.all(tokens.map(async (token) => (await gateway.request('GET', '/v1/agents', { token })).status));
    const lookUps = () => services.callsOf('verifyToken').length + services.callsOf('verifyTokens').length;
    expect(new Set(await use())).toEqual(new Set([200]));
    const before = lookUps();
    flooding = true;
    const statuses = new Set<number>();
    for (let round = 0; round < 12; round += 1) {
      await polled(1);
      for (const status of await use()) statuses.add(status);
    }
    expect([...statuses]).toEqual([200]);
    expect(lookUps() - before).toBe(0);
    known.set((epoch += 1n), keyIds.slice(0, 1));
    await polled(2);
    expect((await use()).filter((status) => status !== 200)).toEqual([401]);
    await gateway.stop();
  });
});
