/**
 * The cost of mutual TLS and signed callers: GET /v1/agents/{agent_id} of this checkout compared with another built one, in interleaved pairs. BENCH_BASELINE
 * names the other checkout, such as a worktree of the commit before ADR 39, because this feature cannot be disabled.
 */
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import { swept } from '../load.mts';
import type { BenchRow } from '../row.mts';
import { targets } from './requests.mts';

const clients = [16, 64] as const;

/** The minimum acceptable share of the baseline's rate. */
const target = 0.9;

export const bench: BenchRow = {
  title: 'mtls',
  async run({ pairs, seconds }) {
    const checkout = process.env['BENCH_BASELINE'];
    if (checkout === undefined) {
      const rows = [{ skipped: 'set BENCH_BASELINE to a built checkout of the commit before mutual TLS' }];
      return [{ title: 'GET /v1/agents/{agent_id}, with and without mutual TLS', rows }];
    }
    const homes = [newHome(), newHome()] as const;
    const running: BenchPlatform[] = [];
    try {
      running.push(await startPlatform(homes[0], {}, 1, [], checkout));
      running.push(await startPlatform(homes[1]));
      const [without, with_] = (await Promise.all(running.map(targets))).map(({ read }) => read);
      if (without === undefined || with_ === undefined) throw new Error('two platforms were started');
      const { pairOfClients, most } = await swept(without, with_, pairs, seconds, clients);
      const rows = [...pairOfClients, ['whatever suits', most] as const].map(([connections, pair]) => ({
        clients: connections,
        'without/s': Math.round(pair.floor.perSecond),
        'with/s': Math.round(pair.ours.perSecond),
        ratio: Number(pair.ratio.toFixed(2)),
        target,
        'without p50/p99 ms': `${pair.floor.p50}/${pair.floor.p99}`,
        'with p50/p99 ms': `${pair.ours.p50}/${pair.ours.p99}`,
      }));
      return [{ title: 'GET /v1/agents/{agent_id}, with and without mutual TLS', rows }];
    } finally {
      for (const platform of running) await platform.stop();
      for (const home of homes) forgetHome(home);
    }
  },
};
