import { readFileSync } from 'node:fs';
import net from 'node:net';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type MsgHdrs } from '@nats-io/transport-node';
import pg from 'pg';
import { operations } from '../fuzz/openapi';
import type { World } from './world';

/** Everything that a platform wrote or returns, as text, by the place where it is. */
export async function tracesOf(world: World): Promise<Readonly<Record<string, string>>> {
  const { platform, customer } = world;
  return {
    logs: platform.processes.map(({ name, replica }) => logOf(world, name, replica)).join('\n') + platform.log,
    spans: world.sink.text(),
    metrics: await metrics(world),
    webhooks: customer.receiver.deliveries.map(({ raw, headers }) => raw + JSON.stringify(headers)).join('\n'),
    errors: world.refusals.join('\n'),
    'responses of writes': world.writes.answers.join('\n'),
    reads: await reads(world),
    'MCP results': await mcpResults(world),
    database: await rows(world),
    streams: await messages(world),
    Redis: await redis(world),
  };
}

const logOf = ({ platform }: World, name: string, replica: number): string => {
  try {
    return platform.logOf(`${name}-${replica}`);
  } catch {
    return platform.logOf(name);
  }
};

async function metrics({ platform }: World): Promise<string> {
  const ports = platform.processes.flatMap(({ health_port }) => (health_port === undefined ? [] : [health_port]));
  const texts = ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  return (await Promise.all(texts)).join('\n');
}

/** The answer of every list, and of every read by an id that one of the lists contains. */
async function reads({ customer }: World): Promise<string> {
  const texts: string[] = [];
  const ids = new Map<string, Set<string>>([['organization_id', new Set([customer.organizationId])]]);
  const json = operations.filter(({ method, answer }) => method === 'GET' && answer !== undefined);
  const read = async (path: string): Promise<void> => {
    const { status, body } = await customer.api.get(path);
    if (status !== 200) return;
    texts.push(JSON.stringify(body));
    for (const [, name = '', id = ''] of JSON.stringify(body).matchAll(/"(\w+_id)":"([^"]+)"/g))
      ids.set(name, (ids.get(name) ?? new Set()).add(id));
  };
  for (const { path } of json.filter(({ path }) => !path.includes('{'))) await read(path);
  for (const { path } of json.filter(({ path }) => path.match(/\{/g)?.length === 1)) {
    const name = /\{(\w+)\}/.exec(path)?.[1] ?? '';
    for (const id of [...(ids.get(name) ?? [])].slice(0, 40)) await read(path.replace(/\{\w+\}/, id));
  }
  return texts.join('\n');
}

/** The results of all tools that only read, with the ids of the customer. */
async function mcpResults({ platform, customer }: World): Promise<string> {
  let id = 0;
  const ask = async (method: string, params: object): Promise<string> => {
    const answer = await fetch(`${platform.baseUrls[0]}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params }),
    });
    return answer.text();
  };
  const texts: string[] = [];
  const known = new Map<string, Set<string>>([['organization_id', new Set([customer.organizationId])]]);
  const call = async (name: string, given: object): Promise<void> => {
    const text = await ask('tools/call', { name, arguments: given });
    texts.push(text);
    for (const [, field = '', value = ''] of text.matchAll(/\\?"(\w+_id)\\?":\s?\\?"([^"\\]+)\\?"/g))
      known.set(field, (known.get(field) ?? new Set()).add(value));
  };
  interface Tool {
    readonly name: string;
    readonly inputSchema: { readonly required?: readonly string[] };
    readonly annotations?: { readonly readOnlyHint?: boolean };
  }
  const tools: Tool[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = await ask('tools/list', cursor === undefined ? {} : { cursor });
    const { result } = JSON.parse(page) as { result: { tools: Tool[]; nextCursor?: string } };
    tools.push(...result.tools.filter(({ annotations }) => annotations?.readOnlyHint === true));
    cursor = result.nextCursor;
  }
  const needed = ({ inputSchema: { required = [] } }: Tool): readonly string[] => required;
  for (const tool of tools.filter((one) => needed(one).length === 0)) await call(tool.name, {});
  for (const tool of tools.filter((one) => needed(one).length === 1)) {
    const [field = ''] = needed(tool);
    for (const value of [...(known.get(field) ?? [])].slice(0, 40)) await call(tool.name, { [field]: value });
  }
  return texts.join('\n');
}

/** Every row of every table, with binary columns in hexadecimal. */
async function rows({ platform }: World): Promise<string> {
  const admin = new pg.Client({ connectionString: platform.databaseUrl });
  await admin.connect();
  const { rows: tables } = await admin.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const table = await admin.query<{ row: string }>(`select to_jsonb(t)::text as row from only ${name} as t`);
    texts.push(...table.rows.map(({ row }) => row));
  }
  await admin.end();
  return texts.join('\n');
}

const headersOf = (headers: MsgHdrs): string[] => headers.keys().flatMap((name) => headers.values(name));

/** Every message of every stream in JetStream, with its headers. */
async function messages({ platform }: World): Promise<string> {
  const connection = await connect(platform.natsServer);
  const texts: string[] = [];
  try {
    const { streams } = await jetstreamManager(connection);
    for await (const { config, state } of streams.list()) {
      // The numbers of a stream start at 1; an empty one that never had a message reports 0.
      for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1) {
        const message = await streams.getMessage(config.name, { seq });
        if (message !== null) texts.push(message.subject, message.string(), ...headersOf(message.header));
      }
    }
  } finally {
    await connection.close();
  }
  return texts.join('\n');
}

/** Every key of Redis with its serialized value, or, if there are none, a text that says so. */
async function redis({ platform }: World): Promise<string> {
  const gateway = platform.processes.find(({ name }) => name === 'gateway');
  const environment = readFileSync(`/proc/${gateway?.pid}/environ`, 'utf8').split('\0');
  const url = new URL(environment.find((line) => line.startsWith('REDIS_URL='))?.slice('REDIS_URL='.length) ?? '');
  const lines = async (commands: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let reply = '';
      const socket = net.connect(Number(url.port), url.hostname, () =>
        socket.end(`AUTH ${decodeURIComponent(url.password)}\r\n${commands}QUIT\r\n`),
      );
      socket.setEncoding('latin1').on('data', (text: string) => (reply += text));
      socket.on('error', reject).on('close', () => resolve(reply));
    });
  const keys = (await lines('KEYS *\r\n')).split('\r\n').filter((line) => /^[\w:.-]+$/.test(line) && line !== 'OK');
  return `keys: ${keys.length}\n${await lines(keys.map((key) => `DUMP ${key}\r\n`).join(''))}`;
}
