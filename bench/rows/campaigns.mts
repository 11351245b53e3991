/** A campaign of 2,000 contacts from start to end with the simulator: contacts per minute, with CPU and memory. */
import { setTimeout as pause } from 'node:timers/promises';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import { cpuSeconds, residentMegabytes } from '../process.mts';
import type { BenchRow } from '../row.mts';

const contacts = 2_000;
const page = 1_000;

type Body = Record<string, unknown>;

async function send(platform: BenchPlatform, method: string, route: string, body?: object): Promise<Body> {
  const answer = await fetch(platform.baseUrl + route, {
    method,
    headers: { authorization: `Bearer ${platform.development.admin_key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`);
  return JSON.parse(text) as Body;
}

/** Creates a campaign as a draft, with contacts. Each has a different number at which a person talks. */
async function prepare(platform: BenchPlatform, maxConcurrent: number, prefix: number): Promise<string> {
  const { organization_id, project_id } = platform.development;
  const owner = { organization_id, project_id };
  const from = `+1415555${prefix}`;
  await send(platform, 'POST', '/v1/numbers', { ...owner, phone_number: from, provider: 'simulator' });
  const agent = { ...owner, mode: 'hosted', name: 'bench', language: 'en', system_prompt: 'Be brief.' };
  const { agent_id } = await send(platform, 'POST', '/v1/agents', agent);
  await send(platform, 'PATCH', `/v1/agents/${String(agent_id)}/voice-stack`, { languages: ['en'] });
  const pace = { max_concurrent: maxConcurrent, calls_per_minute: 10_000 };
  const { campaign_id } = await send(platform, 'POST', '/v1/campaigns', { agent_id, from, name: 'bench', ...pace });
  for (let first = 0; first < contacts; first += page) {
    const some = Array.from({ length: page }, (_, n) => ({
      to: `+1650${prefix}${String(first + n).padStart(4, '0')}`,
    }));
    await send(platform, 'POST', `/v1/campaigns/${String(campaign_id)}/contacts`, { contacts: some });
  }
  return String(campaign_id);
}

const named = (platform: BenchPlatform, name: string): number[] =>
  platform.file.processes.filter((process) => process.name.startsWith(name)).map(({ pid }) => pid);

const sum = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

async function measure(platform: BenchPlatform, maxConcurrent: number, prefix: number): Promise<object> {
  const id = await prepare(platform, maxConcurrent, prefix);
  const services = ['telephony', 'engine', 'webhooks'];
  const cpu = () => services.map((name) => sum(named(platform, name).map(cpuSeconds)));
  const before = cpu();
  const begun = performance.now();
  await send(platform, 'POST', `/v1/campaigns/${id}/launch`);
  let memory = 0;
  for (;;) {
    const { status } = await send(platform, 'GET', `/v1/campaigns/${id}`);
    memory = Math.max(memory, sum(named(platform, 'telephony').map(residentMegabytes)));
    if (status === 'completed') break;
    await pause(100);
  }
  const minutes = (performance.now() - begun) / 60_000;
  const after = cpu();
  const used = Object.fromEntries(
    services.map((name, place) => [
      `${name} CPU ms a contact`,
      Number(((((after[place] ?? 0) - (before[place] ?? 0)) * 1000) / contacts).toFixed(1)),
    ]),
  );
  return {
    max_concurrent: maxConcurrent,
    seconds: Number((minutes * 60).toFixed(1)),
    'contacts a minute': Math.round(contacts / minutes),
    ...used,
    'telephony MB at most': memory,
  };
}

export const bench: BenchRow = {
  title: 'campaigns',
  async run() {
    const home = newHome();
    const platform = await startPlatform(home);
    try {
      const rows = [await measure(platform, 50, 100), await measure(platform, 200, 200)];
      return [
        { title: `a campaign of ${contacts} people on the simulator, whose calls take no time, one replica`, rows },
      ];
    } finally {
      await platform.stop();
      forgetHome(home);
    }
  },
};
