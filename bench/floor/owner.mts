/**
 * The owner process of the floors: a gRPC server over PostgreSQL. A read is one select by primary key; a creation is one transaction with three inserts. Usage:
 * owner.mts <database url>
 */
import { randomUUID } from 'node:crypto';
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import { PublicAnswer, type PublicRequest } from '@parley/proto/public';
import pg from 'pg';
import { handle } from './service.mts';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 5 });
await pool.query(`
  create table if not exists agents (agent_id text primary key, organization_id text not null, view text not null, created_at timestamptz not null default now());
  create index if not exists agents_newest on agents (organization_id, created_at desc);
  create table if not exists calls (call_id text primary key, organization_id text not null, body text not null, created_at timestamptz not null default now());
  create table if not exists outbox (id text primary key, subject text not null, payload text not null);
  create table if not exists idempotency (organization_id text, route text, key text, body text not null, primary key (organization_id, route, key));
`);
await pool.query(
  `insert into agents (agent_id, organization_id, view) values ($1, 'org_bench', $2) on conflict do nothing`,
  [
    'agt_bench',
    JSON.stringify({ agent_id: 'agt_bench', name: 'bench', mode: 'hosted', system_prompt: 'x'.repeat(300) }),
  ],
);

async function read(agentId: string): Promise<string> {
  const { rows } = await pool.query<{ view: string }>({
    name: 'read',
    text: 'select view from agents where organization_id = $1 and agent_id = $2',
    values: ['org_bench', agentId],
  });
  return rows[0]?.view ?? '{}';
}

async function list(): Promise<string> {
  const { rows } = await pool.query<{ view: string }>({
    name: 'list',
    text: 'select view from agents where organization_id = $1 order by created_at desc limit 20',
    values: ['org_bench'],
  });
  return `{"data":[${rows.map((row) => row.view).join(',')}],"next_cursor":null}`;
}

async function create(body: string): Promise<string> {
  const id = randomUUID();
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({
      name: 'call',
      text: 'insert into calls (call_id, organization_id, body) values ($1, $2, $3)',
      values: [id, 'org_bench', body],
    });
    await client.query({
      name: 'key',
      text: 'insert into idempotency values ($1, $2, $3, $4)',
      values: ['org_bench', 'create-call', id, body],
    });
    await client.query({
      name: 'event',
      text: 'insert into outbox values ($1, $2, $3)',
      values: [id, 'events.v1.org_bench.call.created', body],
    });
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
  return JSON.stringify({ call_id: id, status: 'queued' });
}

const answerTo = ({ route, path: [id = ''], body }: PublicRequest): Promise<string> => {
  if (route === 'get-agent') return read(id);
  return route === 'list-agents' ? list() : create(body.toString());
};
const server = new Server();
server.addService(
  { handle },
  {
    handle: ({ request }: ServerUnaryCall<PublicRequest, PublicAnswer>, callback: sendUnaryData<PublicAnswer>) => {
      answerTo(request).then(
        (body) => callback(null, PublicAnswer.fromPartial({ body: Buffer.from(body), etag: '"1"' })),
        (error: Error) => callback(error),
      );
    },
  },
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(JSON.stringify({ port }));
});
