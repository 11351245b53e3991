/** Voice stacks: the cost of a read, of a page of a long list and of a save that publishes, and how much more they cost with 32 languages. */
import pg from 'pg';
import { interleaved, load, median, type Pair, type Target } from '../load.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import { cpuSeconds, startProgram, stopProcess } from '../process.mts';
import type { BenchRow } from '../row.mts';

const json = { 'content-type': 'application/json' };
const agentsInTheList = 100_000;
/** More than the number of connections, so that no two concurrent saves use the same agent. */
const agentsToSave = 20;

/** Languages that the simulator supports. */
const languages =
  'en de fr es it nl pt ru pl ar bg bn ca cs da el et fa fi he hi hr hu id ja ko lt lv ms no ro sk'.split(' ');

/** A language profile that overrides everything that can be overridden. */
const profileOf = (locale: string) => ({
  locale,
  greeting: `Hello in ${locale}`,
  transcriber: { provider: 'simulator', model: 'sim-listen-40' },
  voice: { provider: 'simulator', model: 'sim-speak-40', voice_id: `voice-${locale}` },
});

class Agents {
  readonly headers: Readonly<Record<string, string>>;
  private readonly platform: BenchPlatform;

  constructor(platform: BenchPlatform) {
    this.platform = platform;
    this.headers = { authorization: `Bearer ${platform.development.admin_key}`, ...json };
  }

  url(path: string): string {
    return `${this.platform.baseUrl}${path}`;
  }

  async create(): Promise<string> {
    const { organization_id, project_id } = this.platform.development;
    const body = { organization_id, project_id, mode: 'hosted', language: 'en', system_prompt: 'x'.repeat(2_000) };
    const { agent_id } = await this.send('POST', '/v1/agents', body, 201);
    return agent_id ?? '';
  }

  async save(agentId: string, body: object): Promise<void> {
    await this.send('PATCH', `/v1/agents/${agentId}/voice-stack`, body, 200);
  }

  /**
   * Creates agents with this many languages, and returns saves that publish one of them each time: saves of the prompt only, or with `whole` also of every
   * language and its profile.
   */
  async saves(count: number, { whole }: { whole: boolean }): Promise<Target> {
    const ids: string[] = [];
    const chosen = {
      languages: languages.slice(0, count),
      language_profiles: languages.slice(0, count).map((locale) => profileOf(locale)),
    };
    for (let index = 0; index < agentsToSave; index += 1) {
      const agentId = await this.create();
      await this.save(agentId, chosen);
      ids.push(agentId);
    }
    let sent = 0;
    return {
      title: `PATCH voice-stack, ${count} language${count === 1 ? '' : 's'}, ${whole ? 'all in the body' : 'prompt alone'}`,
      url: this.url('/v1/agents'),
      method: 'PATCH',
      headers: this.headers,
      each: () => {
        sent += 1;
        return {
          path: `/v1/agents/${ids[sent % ids.length] ?? ''}/voice-stack`,
          body: JSON.stringify({ system_prompt: `${sent} ${'x'.repeat(2_000)}`, ...(whole ? chosen : {}) }),
        };
      },
      status: 200,
    };
  }

  /** Repeats the request if the platform asks for a retry, as it may do shortly after its start on a busy machine. */
  private async send(method: string, path: string, body: object, status: number): Promise<Record<string, string>> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(this.url(path), { method, headers: this.headers, body: JSON.stringify(body) });
      const text = await answer.text();
      if (answer.status === status) return JSON.parse(text) as Record<string, string>;
      if (answer.status !== 503 || attempt === 5) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    }
  }
}

/** Copies the agent many times in the table, with earlier creation times. */
async function fill(databaseUrl: string, agentId: string): Promise<void> {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  try {
    const { rows } = await admin.query<{ column_name: string }>(
      `select column_name from information_schema.columns where table_schema = 'agents' and table_name = 'agents'
         and column_name not in ('agent_id', 'created_at')`,
    );
    const others = rows.map((row) => row.column_name).join(', ');
    await admin.query(
      `insert into agents.agents (agent_id, created_at, ${others})
       select agent_id || '_' || n, created_at - make_interval(secs => n), ${others}
       from agents.agents, generate_series(1, $2::integer) as n where agent_id = $1`,
      [agentId, agentsInTheList],
    );
    await admin.query('analyze agents.agents');
  } finally {
    await admin.end();
  }
}

/** Floors that return the same bytes as the platform. */
async function startFloors(databaseUrl: string, read: string, listed: string) {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query('create database bench_floor');
  await admin.end();
  const url = new URL(databaseUrl);
  url.pathname = '/bench_floor';
  const owner = await startProgram('floor/owner.mts', url.href);
  const edge = await startProgram('floor/edge.mts', `127.0.0.1:${owner.port}`);
  const floor = new pg.Client({ connectionString: url.href });
  await floor.connect();
  const insert = `insert into agents (agent_id, organization_id, view, created_at) values ($1, $2, $3, now())`;
  await floor.query(insert, ['agt_stack', 'org_bench', read]);
  await floor.query(
    `insert into agents select 'agt_' || n, 'org_bench', $1, now() + make_interval(secs => n) from generate_series(1, $2::integer) as n`,
    [listed, agentsInTheList],
  );
  await floor.query('analyze agents');
  await floor.end();
  const at = (path: string) => `http://127.0.0.1:${edge.port}${path}`;
  return {
    read: { title: 'express + gRPC + pg read', url: at('/agents/agt_stack'), status: 200 } satisfies Target,
    list: { title: 'express + gRPC + pg list of 20', url: at('/agents'), status: 200 } satisfies Target,
    save: {
      title: 'express + gRPC + transaction of three inserts',
      url: at('/calls'),
      method: 'POST',
      headers: json,
      body: JSON.stringify({ system_prompt: 'x'.repeat(2_000) }),
      status: 201,
    } satisfies Target,
    stop: async () => {
      for (const { child } of [edge, owner]) await stopProcess(child);
    },
  };
}

const row = (title: string, floor: string, pair: Pair) => ({
  request: title,
  floor,
  'floor/s': Math.round(pair.floor.perSecond),
  'ours/s': Math.round(pair.ours.perSecond),
  ratio: Number(pair.ratio.toFixed(2)),
  'ours p50/p99 ms': `${pair.ours.p50}/${pair.ours.p99}`,
});

const savers = ['gateway', 'agents', 'voice-stack'];

/** Milliseconds of CPU per request in the processes involved, without PostgreSQL. */
async function cpuOf(platform: BenchPlatform, target: Target, seconds: number): Promise<Record<string, number>> {
  const used = () =>
    savers.map((name) =>
      platform.file.processes
        .filter((process) => process.name === name)
        .reduce((sum, { pid }) => sum + (cpuSeconds(pid) ?? NaN), 0),
    );
  const before = used();
  const { requests } = await load(target, seconds);
  const each = used().map((after, index) => ((after - (before[index] ?? NaN)) * 1000) / requests);
  return Object.fromEntries([
    ...savers.map((name, index) => [name, each[index] ?? NaN] as const),
    ['total', each.reduce((sum, value) => sum + value, 0)] as const,
  ]);
}

/** Measures one language and 32 languages in turn. The maximum is twice the cost. */
async function cpuTable(
  platform: BenchPlatform,
  targets: readonly Target[],
  options: { pairs: number; seconds: number },
) {
  const runs: Record<string, number>[][] = targets.map(() => []);
  for (let pair = 0; pair < options.pairs; pair += 1)
    for (const [index, target] of targets.entries()) runs[index]?.push(await cpuOf(platform, target, options.seconds));
  const middles = runs.map((figures) =>
    Object.fromEntries(
      [...savers, 'total'].map((name) => [name, median(figures.map((figure) => figure[name] ?? NaN))]),
    ),
  );
  const [one] = middles;
  return targets.map((target, index) => ({
    request: target.title,
    ...Object.fromEntries(
      Object.entries(middles[index] ?? {}).map(([name, value]) => [`${name} ms CPU`, Number(value.toFixed(2))]),
    ),
    'times one language': Number(((middles[index]?.total ?? NaN) / (one?.total ?? NaN)).toFixed(2)),
    target: '2 at most',
  }));
}

/** Maximum numbers for this topic: it has so many rows that it would otherwise take longer than three minutes. */
const mostPairs = 3;
const longestSide = 2;

export const bench: BenchRow = {
  title: 'voice-stack',
  async run({ pairs: wantedPairs, seconds: wantedSeconds }) {
    const pairs = Math.min(wantedPairs, mostPairs);
    const seconds = Math.min(wantedSeconds, longestSide);
    const home = newHome();
    const platform = await startPlatform(home);
    try {
      const agents = new Agents(platform);
      const one = await agents.saves(1, { whole: false });
      const many = await agents.saves(languages.length, { whole: false });
      const wholeOne = await agents.saves(1, { whole: true });
      const wholeMany = await agents.saves(languages.length, { whole: true });
      const agentId = await agents.create();
      await agents.save(agentId, { languages: ['en', 'de'] });
      await fill(platform.file.database_url, agentId);
      const get = (title: string, path: string): Target => {
        return { title, url: agents.url(path), headers: agents.headers, status: 200 };
      };
      const read = get('GET voice-stack', `/v1/agents/${agentId}/voice-stack`);
      const list = get('GET /v1/agents, 20 of 100,000', '/v1/agents');
      const text = async (target: Target) => (await fetch(target.url, { headers: target.headers })).text();
      const floors = await startFloors(
        platform.file.database_url,
        await text(read),
        await text(get('', `/v1/agents/${agentId}`)),
      );
      try {
        const rows = [
          row(read.title, floors.read.title, await interleaved(floors.read, read, pairs, seconds)),
          row(list.title, floors.list.title, await interleaved(floors.list, list, pairs, seconds)),
          row(one.title, floors.save.title, await interleaved(floors.save, one, pairs, seconds)),
          row(many.title, one.title, await interleaved(one, many, pairs, seconds)),
          row(wholeMany.title, wholeOne.title, await interleaved(wholeOne, wholeMany, pairs, seconds)),
        ];
        const cpu = [
          ...(await cpuTable(platform, [one, many], { pairs: Math.min(pairs, 2), seconds })),
          ...(await cpuTable(platform, [wholeOne, wholeMany], { pairs: Math.min(pairs, 2), seconds })),
        ];
        return [
          { title: `requests, ${pairs} interleaved pairs of ${seconds} s, medians`, rows },
          { title: 'CPU of a save that publishes, medians', rows: cpu },
        ];
      } finally {
        await floors.stop();
      }
    } finally {
      await platform.stop();
      forgetHome(home);
    }
  },
};
