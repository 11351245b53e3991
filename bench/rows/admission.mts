/** The cost of admitting a call with every rule enabled, compared with its floor, and the rates of one busy organization and of a hundred. */
import { agePostgres } from '../aged.mts';
import { load, swept, type Target } from '../load.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import type { BenchRow } from '../row.mts';
import { startFloors } from './requests.mts';

const organizations = 100;
const suppressedNumbers = 10_000;
const target = 0.6;

interface Customer {
  readonly organizationId: string;
  readonly agentId: string;
  readonly key: string;
}

type Send = (method: string, route: string, body: object, key?: string) => Promise<Record<string, string>>;

const sender =
  ({ baseUrl, development }: BenchPlatform): Send =>
  async (method, route, body, key = development.operator_key) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(baseUrl + route, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };

/** A prepaid organization with every limit and policy rule enabled and far from being exceeded. */
async function customer(send: Send, number: string, suppressed: number): Promise<Customer> {
  const { organization_id: organizationId = '' } = await send('POST', '/v1/organizations', {
    name: 'Bench',
    billing: 'prepaid',
  });
  const owned = `/v1/organizations/${organizationId}`;
  const { project_id } = await send('POST', `${owned}/projects`, { name: 'Bench' });
  const owner = { organization_id: organizationId, project_id };
  await send('POST', '/v1/wallet/top-ups', { organization_id: organizationId, amount_micros: 1_000_000_000_000 });
  await send('POST', '/v1/numbers', { ...owner, phone_number: number, provider: 'simulator' });
  const agent = { ...owner, mode: 'hosted', name: 'bench', system_prompt: 'x'.repeat(300), language: 'en' };
  const { agent_id: agentId = '' } = await send('POST', '/v1/agents', agent);
  await send('PATCH', `/v1/agents/${agentId}/voice-stack`, { languages: ['en'] });
  const most = { live_calls: 1_000_000, calls_per_minute: 1_000_000, calls_per_hour: 1_000_000 };
  await send('PUT', `${owned}/controls`, { ...most, daily_spend_micros: 1_000_000_000_000, queued_calls: 1_000_000 });
  await send('PUT', `${owned}/policy`, {
    destination_countries: { mode: 'enforce', list: 'allow', countries: ['US', 'CA'] },
    quiet_hours: { mode: 'enforce', ...quietHours() },
    consent_required: { mode: 'enforce' },
    caps: { mode: 'enforce', ...most, daily_spend_micros: 1_000_000_000_000 },
  });
  for (let from = 0; from < suppressed; from += 1_000) {
    const phone_numbers = Array.from({ length: 1_000 }, (_, n) => `+1650555${String(from + n).padStart(4, '0')}`);
    await send('POST', '/v1/suppressions', { organization_id: organizationId, phone_numbers });
  }
  const { token: key = '' } = await send('POST', '/v1/api-keys', {
    organization_id: organizationId,
    name: 'bench',
    scopes: ['all'],
  });
  return { organizationId, agentId, key };
}

/** Two quiet hours in California that are six hours away, so that the rule applies to no call. */
function quietHours(): { start: string; end: string } {
  const inCalifornia = (hoursAhead: number): string =>
    new Date(Date.now() + hoursAhead * 3_600_000)
      .toLocaleTimeString('en-GB', { timeZone: 'America/Los_Angeles' })
      .slice(0, 5);
  return { start: inCalifornia(6), end: inCalifornia(8) };
}

const bodyOf = ({ agentId }: Customer): string =>
  JSON.stringify({ agent_id: agentId, to: '+14155550100', consent: true });

const json = { 'content-type': 'application/json' };

const figures = ({ perSecond, p50, p99 }: { perSecond: number; p50: number; p99: number }) => ({
  'admissions/s': Math.round(perSecond),
  'p50/p99 ms': `${p50}/${p99}`,
});

export const bench: BenchRow = {
  title: 'admission',
  async run({ pairs, seconds }) {
    const home = newHome();
    const platform = await startPlatform(home, { MINTS_PER_MINUTE: '100000', ORGANIZATION_MINTS_PER_MINUTE: '100000' });
    await agePostgres(platform.file.database_url);
    const floors = await startFloors(platform.file.database_url);
    // Frozen, so that calls stay queued: conducting them is not measured, and an organization may schedule only 10,000 calls.
    const engine = platform.file.processes.find(({ name }) => name === 'engine');
    if (engine === undefined) throw new Error('the engine does not run');
    process.kill(engine.pid, 'SIGSTOP');
    try {
      const send = sender(platform);
      const busy = await customer(send, '+14155559999', suppressedNumbers);
      const many: Customer[] = [];
      for (let n = 0; n < organizations; n += 1) many.push(await customer(send, `+141555${String(10_000 + n)}`, 0));
      const one: Target = {
        title: 'POST /v1/calls, every rule on',
        url: `${platform.baseUrl}/v1/calls`,
        method: 'POST',
        headers: { authorization: `Bearer ${busy.key}`, ...json },
        creates: true,
        body: bodyOf(busy),
        status: 201,
      };
      let turn = 0;
      const hundred: Target = {
        ...one,
        // One key for all requests: an operator's, which names the organization of each call.
        headers: { authorization: `Bearer ${platform.development.operator_key}`, ...json },
        each: () => {
          const next = many[(turn += 1) % many.length] as Customer;
          return { path: `/v1/calls?organization_id=${next.organizationId}`, body: bodyOf(next) };
        },
      };
      const rows: object[] = [];
      // Few clients to measure latency, and enough to saturate the machine.
      const { pairOfClients, most } = await swept(floors.call, one, pairs, seconds, [16, 64]);
      for (const [clients, pair] of [...pairOfClients, ['whatever suits', most] as const]) {
        rows.push({
          clients,
          'floor/s': Math.round(pair.floor.perSecond),
          'ours/s': Math.round(pair.ours.perSecond),
          ratio: Number(pair.ratio.toFixed(2)),
          target,
          'floor p50/p99 ms': `${pair.floor.p50}/${pair.floor.p99}`,
          'ours p50/p99 ms': `${pair.ours.p50}/${pair.ours.p99}`,
        });
      }
      await load(hundred, 2);
      const rates: object[] = [];
      for (let round = 0; round < pairs; round += 1) {
        rates.push({ organizations: 1, ...figures(await load(one, seconds, 32)) });
        rates.push({ organizations, ...figures(await load(hundred, seconds, 32)) });
      }
      return [
        { title: `every rule on, ${pairs} interleaved pairs of ${seconds} s, medians`, rows },
        { title: `32 connections, ${seconds} s each, in turn`, rows: rates },
      ];
    } finally {
      process.kill(engine.pid, 'SIGCONT');
      await floors.stop();
      await platform.stop();
      forgetHome(home);
    }
  },
};
