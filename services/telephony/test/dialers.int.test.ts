import type { Dialer, WorkerJob } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import type { Caller } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { addNumber, claim, hostedCaller, place } from './test-caller';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

interface Line {
  readonly agent: AgentForCall;
  readonly from: string;
  readonly worker: string;
}

/** A claiming worker, its replica, and the jobs that it got. */
interface WorkerOf {
  readonly name: string;
  readonly caller: Caller;
  readonly given: Map<string, WorkerJob>;
}

/** Workers of two organizations with their own dialers, and hosted workers at the same time. */
describe('distribution of calls to own and hosted workers', () => {
  let under: UnderTest;
  let instances: Instance[];

  beforeAll(async () => {
    under = await telephonyUnderTest();
    instances = [await under.start({ workerLeaseSeconds: 300 }), await under.start({ workerLeaseSeconds: 300 })];
  });
  afterAll(() => under.stop());

  const at = (n: number): Instance => instances[n % 2] as Instance;

  it("100 of 100 calls reach a worker according to their number's dialer: the organization's own or a hosted one", async () => {
    const [first, second] = [under.fakes.addAgent(), under.fakes.addAgent()];
    const line = async (agent: AgentForCall, dialer: Dialer, worker: string): Promise<Line> => ({
      agent,
      from: await addNumber(at(0), agent, undefined, { dialer }),
      worker,
    });
    const lines = [
      await line(first, 'own', 'first'),
      await line(second, 'own', 'second'),
      // The same organizations also have numbers that hosted workers dial from.
      await line(first, 'hosted', 'hosted'),
      await line(second, 'hosted', 'hosted'),
    ];
    const workers: WorkerOf[] = [
      { name: 'first', caller: customerCaller(first.organizationId), given: new Map() },
      { name: 'second', caller: customerCaller(second.organizationId), given: new Map() },
      { name: 'hosted', caller: hostedCaller, given: new Map() },
    ];
    const expected = new Map<string, string>();
    const total = (): number => workers.reduce((sum, { given }) => sum + given.size, 0);
    const giveUpAt = performance.now() + 20_000;

    // All workers wait at both replicas before the first call is placed, the hosted ones longest: none may get a job of another.
    const claiming = [...workers].reverse().flatMap(({ caller, given }) =>
      [0, 1].map(async (n) => {
        while (total() < 100 && performance.now() < giveUpAt) {
          for (const job of await claim(at(n), 10, 1, caller)) given.set(job.call.call_id, job);
        }
      }),
    );
    await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const { agent, from, worker } = lines[n % lines.length] as Line;
        const { call } = await place(at(n), agent, { body: { from } });
        expected.set(call.call_id, worker);
      }),
    );
    await Promise.all(claiming);

    const reached = workers.flatMap(({ name, given }) => [...given.keys()].map((callId) => [callId, name] as const));
    expect(reached).toHaveLength(100);
    expect(new Map(reached)).toEqual(expected);
    expect(workers.map(({ name, given }) => [name, given.size])).toEqual([
      ['first', 25],
      ['second', 25],
      ['hosted', 50],
    ]);
  });

  it('calls from numbers with dialer own wait for the workers of their organization, even if other workers are free', async () => {
    const agent = under.fakes.addAgent();
    await addNumber(at(0), agent, undefined, { dialer: 'own' });
    const stranger = under.fakes.addAgent();
    await addNumber(at(0), stranger, undefined, { dialer: 'own' });
    const { call } = await place(at(0), agent);
    for (const caller of [hostedCaller, customerCaller(stranger.organizationId)]) {
      expect([...(await claim(at(0), 10, 1, caller)), ...(await claim(at(1), 10, 0, caller))]).toEqual([]);
    }
    const given = await claim(at(1), 10, 1, customerCaller(agent.organizationId));
    expect(given.map((job) => job.call.call_id)).toEqual([call.call_id]);
  });
});
