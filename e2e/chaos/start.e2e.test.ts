import { once } from 'node:events';
import { rmSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { Api } from '../api';
import type { CallRecord } from '../customer';
import { newHome, Platform } from '../platform';
import { until } from '../until';

interface Calls extends Record<string, unknown> {
  readonly data: readonly CallRecord[];
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** What docs/reference/starting.md promises about `npm start`, in addition to a running platform: the same home can be started again and again. */
describe('npm start', () => {
  const home = newHome();
  let platform: Platform | undefined;
  let firstKey: string;
  let firstCall: CallRecord;

  const start = async (...args: string[]): Promise<Platform> => (platform = await Platform.start({ home, args }));
  const apiOf = ({ baseUrls, development }: Platform, key = development.admin_key) => new Api(() => baseUrls, key);
  const callsOf = async (started: Platform) => (await apiOf(started).get<Calls>('/v1/calls')).body.data;
  /** Ends the program like a terminal or a process manager: it exits with 0, and no process that it started is left. */
  const end = async (started: Platform, signal: 'SIGINT' | 'SIGTERM') => {
    const pids = await until('its own processes are listed', () => {
      const listed = started.processes.map(({ pid }) => pid);
      return listed.every(isAlive) ? listed : undefined;
    });
    expect(pids.length).toBeGreaterThan(7);
    await started.stop(signal);
    expect(started.exitCode).toBe(0);
    await until('every process is gone', () => !pids.some(isAlive));
  };

  afterAll(async () => {
    await platform?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('places a first call and prints its events; SIGINT stops all processes that it started', async () => {
    const started = await start();
    for (const type of ['call.created', 'call.answered', 'call.completed', 'call.transcript.ready'])
      await until(`${type} is printed`, () => started.log.includes(type));
    firstKey = started.development.admin_key;
    const [call, ...more] = await callsOf(started);
    if (call === undefined) throw new Error('there is no call');
    expect(more).toEqual([]);
    expect(call).toMatchObject({ status: 'completed', ended_reason: 'callee_hung_up' });
    firstCall = call;
    await end(started, 'SIGINT');
  });

  it('keeps its data and keys at a second start, and places no second call; SIGTERM stops it too', async () => {
    const started = await start();
    expect(started.development.admin_key).toBe(firstKey);
    expect((await callsOf(started)).map(({ call_id }) => call_id)).toEqual([firstCall.call_id]);
    await end(started, 'SIGTERM');
  });

  it('deletes them with --fresh', async () => {
    const started = await start('--fresh', '--no-first-call');
    await until('new keys are written', () => started.development.admin_key !== firstKey);
    expect((await apiOf(started, firstKey).get('/v1/calls')).status).toBe(401);
    expect(await callsOf(started)).toEqual([]);
    await end(started, 'SIGTERM');
  });

  it('reports which port is in use, and exits', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      await expect(Platform.start({ home, port })).rejects.toThrow(String(port));
    } finally {
      other.close();
    }
  });
});
