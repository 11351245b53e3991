import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { Customer } from '../customer';
import { Platform } from '../platform';
import { until } from '../until';

const root = path.resolve(__dirname, '../..');

/**
 * For each service with tables, one that is written while the next release creates an index and fills a new column. None of them is partitioned: PostgreSQL
 * cannot create an index concurrently on a partitioned table, only on one partition after another.
 */
const busiest = {
  auth: 'api_keys',
  'voice-stack': 'publications',
  agents: 'agents',
  telephony: 'calls',
  webhooks: 'endpoints',
  insights: 'extraction_configurations',
} as const;
const noteSchema = { type: 'object', properties: { note: { type: 'string' } } };
type Service = keyof typeof busiest;
const services = Object.keys(busiest) as Service[];
const schemaOf = (service: Service): string => service.replace('-', '_');

async function query<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/**
 * A service as its next release would change it, as far as migrations are concerned: the program of this release with additional migrations, which add a column
 * or two to every table, a table, an index that is created concurrently with writers, and values for a new column.
 */
class NextRelease {
  readonly version: number;
  private readonly folder = mkdtempSync(path.join(os.tmpdir(), 'parley-next-'));

  private constructor(
    private readonly service: Service,
    private readonly platform: Platform,
    tables: readonly string[],
  ) {
    const home = path.join(root, 'services', service);
    for (const part of ['dist', 'migrations', 'package.json']) {
      cpSync(path.join(home, part), path.join(this.folder, part), { recursive: true });
    }
    symlinkSync(path.join(home, 'node_modules'), path.join(this.folder, 'node_modules'));
    const migrations = path.join(this.folder, 'migrations');
    const already = Math.max(...readdirSync(migrations).map((name) => Number.parseInt(name, 10)));
    const added = [
      ...tables.map((table) => [
        `columns-of-${table.replaceAll('_', '-')}`,
        `alter table ${table} add column later_note text, add column later_count integer not null default 0;`,
      ]),
      ['table', 'create table later_things (id text primary key, organization_id text not null);'],
      ['index', `-- no transaction\ncreate index concurrently later_index on ${busiest[service]} (later_count);`],
      ['values', `update ${busiest[service]} set later_note = 'from before' where later_note is null;`],
    ] as const;
    added.forEach(([name, sql], index) => {
      writeFileSync(path.join(migrations, `${String(already + index + 1).padStart(4, '0')}-${name}.sql`), sql);
    });
    this.version = already + added.length;
  }

  static async of(service: Service, platform: Platform): Promise<NextRelease> {
    const tables = await query<{ name: string }>(
      platform.databaseUrl,
      `select relname as name from pg_class where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition
         and relname <> 'schema_migrations' order by relname`,
      [schemaOf(service)],
    );
    return new NextRelease(
      service,
      platform,
      tables.map(({ name }) => name),
    );
  }

  /** Runs `migrate` of the next release, like the Job of the chart. */
  migrate(): Promise<void> {
    return this.run(this.folder);
  }

  /** Runs `migrate` of this release, like after a rollback if the release contains a plain Job. */
  migrateBack(): Promise<void> {
    return this.run(path.join(root, 'services', this.service));
  }

  /** The version of the database's newest migration. */
  async reached(): Promise<number> {
    const [row] = await query<{ version: number }>(
      this.platform.databaseUrl,
      `select max(version)::integer as version from ${schemaOf(this.service)}.schema_migrations`,
    );
    return row?.version ?? 0;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async run(folder: string): Promise<void> {
    const secrets = JSON.parse(this.platform.secrets) as Record<string, string> & {
      role_passwords: Record<string, string>;
    };
    const own = new URL(this.platform.databaseUrl);
    own.username = `parley_${schemaOf(this.service)}`;
    own.password = secrets.role_passwords[this.service] ?? '';
    const child = spawn(process.execPath, [path.join(folder, 'dist/main.js'), 'migrate'], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: own.href,
        MIGRATIONS_DATABASE_URL: this.platform.databaseUrl,
        TOKEN_PEPPERS: secrets['token_peppers'],
        VAULT_KEYS: secrets['vault_keys'],
        AUTH_ADDRESS: 'unused:1',
        AGENTS_ADDRESS: 'unused:1',
        VOICE_STACK_ADDRESS: 'unused:1',
        TELEPHONY_ADDRESS: 'unused:1',
        KNOWLEDGE_ADDRESS: 'unused:1',
        WEBHOOKS_ADDRESS: 'unused:1',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`migrating ${this.service} ended with ${String(code)}:\n${log.slice(-4_000)}`);
  }
}

/** Customers that write into the tables of every service, one write after another. Any refusal or error ends the test. */
class Writers {
  private readonly done: Record<string, number> = {};
  private going = true;
  private readonly working: Promise<void>;

  constructor(
    private readonly platform: Platform,
    customer: Customer,
    agentId: string,
  ) {
    const { api, organizationId, projectId } = customer;
    const named = { organization_id: organizationId, project_id: projectId };
    let count = 0;
    const works: Readonly<Record<string, () => Promise<{ status: number; body: object }>>> = {
      keys: () => api.post('/v1/api-keys', { organization_id: organizationId, name: 'k', scopes: ['calls:read'] }),
      agents: () =>
        api.post('/v1/agents', { ...named, mode: 'hosted', name: 'A', language: 'en', system_prompt: 'Hi.' }),
      publications: () => api.patch(`/v1/agents/${agentId}/voice-stack`, { first_message: `Hello ${(count += 1)}` }),
      endpoints: () =>
        api.post('/v1/agent-endpoints', {
          ...named,
          webhook_url: customer.receiver.url,
          audio_stream_url: 'wss://audio.example.com/stream',
          events: ['campaign.launched'],
        }),
      extraction: () => api.put(`/v1/agents/${agentId}/extraction`, { schema: noteSchema }),
      calls: async () => {
        const placed = await api.post<{ call_id: string }>('/v1/calls', {
          agent_id: customer.agentId,
          to: '+15005550001',
        });
        if (placed.status === 201) await customer.finished(placed.body.call_id);
        return placed;
      },
    };
    const loops = Object.entries(works).flatMap(([name, work]) => [
      this.repeat(name, work),
      ...(name === 'publications' || name === 'extraction' ? [] : [this.repeat(name, work)]),
    ]);
    this.working = Promise.all(loops).then(() => undefined);
  }

  /** Resolves when each kind of write was done this many more times. */
  async progress(times: number): Promise<void> {
    const wanted = Object.fromEntries(Object.entries(this.done).map(([name, done]) => [name, done + times]));
    const enough = until(
      'every kind of write goes on',
      () => !this.going || Object.entries(wanted).every(([name, least]) => (this.done[name] ?? 0) >= least),
      120_000,
    );
    await Promise.race([enough, this.working.then(() => enough)]);
  }

  async stop(): Promise<void> {
    this.going = false;
    await this.working;
  }

  /** The log lines of the request that failed with this body. */
  private logOf(body: object): string {
    const id = 'request_id' in body ? String(body.request_id) : undefined;
    if (id === undefined) return '';
    return this.platform.log
      .split('\n')
      .filter((line) => line.includes(id))
      .join('\n');
  }

  private async repeat(name: string, work: () => Promise<{ status: number; body: object }>): Promise<void> {
    this.done[name] ??= 0;
    while (this.going) {
      try {
        const { status, body } = await work();
        if (status !== 201 && status !== 200) {
          throw new Error(`${name}: ${status} ${JSON.stringify(body)}\n${this.logOf(body)}`);
        }
      } catch (error) {
        this.going = false;
        throw error;
      }
      this.done[name] = (this.done[name] ?? 0) + 1;
    }
  }
}

/** An upgrade whose migrations run while this release is in use, and its rollback: this release, started again with the schema of the next one. */
describe('the schema of the next release', () => {
  let platform: Platform;
  let customer: Customer;
  let next: NextRelease[];

  beforeAll(async () => {
    platform = await Platform.start({ env: { WEBHOOK_MAX_ENDPOINTS: '10000' } });
    customer = await Customer.create(platform);
    next = await Promise.all(services.map((service) => NextRelease.of(service, platform)));
  });
  afterAll(async () => {
    for (const one of next ?? []) one.remove();
    await customer?.close();
    await platform?.stop();
  });

  const anotherAgent = async (): Promise<string> => {
    const { organizationId, projectId, api } = customer;
    const body = { organization_id: organizationId, project_id: projectId, mode: 'hosted', name: 'B', language: 'en' };
    const made = await api.post<{ agent_id: string }>('/v1/agents', { ...body, system_prompt: 'Hi.' });
    return made.body.agent_id;
  };

  it('is created for every service while this release writes: no write is rejected or lost', async () => {
    const writers = new Writers(platform, customer, await anotherAgent());
    try {
      await writers.progress(2);
      await Promise.all(next.map((one) => one.migrate()));
      await writers.progress(2);
    } finally {
      await writers.stop();
    }
    expect(await Promise.all(next.map((one) => one.reached()))).toEqual(next.map(({ version }) => version));
  });

  it('is not changed by the migrations of this release, whose services all start and become ready', async () => {
    await Promise.all(next.map((one) => one.migrateBack()));
    expect(await Promise.all(next.map((one) => one.reached()))).toEqual(next.map(({ version }) => version));
    await Promise.all(services.map((name) => platform.kill(name)));
    await platform.ready();
    for (const name of services) {
      const { health_port: port } = platform.processes.find((one) => one.name === name) ?? {};
      await until(`${name} is ready`, async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
        return answer?.status === 200;
      });
    }
  });

  it('accepts writes afterwards', async () => {
    await platform.ready();
    // All processes were killed at the same time. Each becomes ready by itself, and reconnects to the others shortly afterwards.
    const agentId = await until('an agent is made', anotherAgent);
    await until('agents publishes and telephony takes calls', async () => {
      const answers = await Promise.all([
        customer.api.patch(`/v1/agents/${agentId}/voice-stack`, { first_message: 'Hello' }),
        customer.api.post('/v1/calls', { agent_id: customer.agentId, to: '+15005550001' }),
      ]);
      return answers.every(({ status }) => status < 300);
    });
    const writers = new Writers(platform, customer, agentId);
    try {
      await writers.progress(2);
    } finally {
      await writers.stop();
    }
  });
});
