/** A write by someone else between the plan of `apply` and its own write: a proxy makes it directly on the platform. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Parley } from '../../clients/typescript/dist/index.js';
import { CommandLine } from './cli.mts';
import type { Check, ClientWorld } from './world.mts';

/** Forwards requests. Before the first PATCH it calls `meddle` and waits for it. */
async function meddlingProxy(target: string, meddle: () => Promise<unknown>): Promise<{ url: string; server: Server }> {
  let meddled: Promise<unknown> | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    const pass = async (): Promise<void> => {
      if (request.method === 'PATCH') await (meddled ??= meddle());
      const names = ['authorization', 'content-type', 'if-match', 'idempotency-key'];
      const headers = names.flatMap((name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value] as [string, string]] : [];
      });
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
      const answer = await fetch(new URL(request.url ?? '/', target), {
        method: request.method ?? '',
        headers,
        ...body,
      });
      const etag = answer.headers.get('etag');
      response
        .writeHead(answer.status, { 'content-type': 'application/json', ...(etag === null ? {} : { etag }) })
        .end(await answer.text());
    };
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      pass().catch(() => response.destroy());
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function conflicting(world: ClientWorld): Promise<void> {
  const cli = new CommandLine(world);
  const parley = new Parley({ apiKey: cli.key, baseUrl: cli.baseUrl });
  await cli.login();
  const file = (name: string): string =>
    `---\nname: ${name}\nlanguages: [en]\n---\nYou are the receptionist of a dental practice.\n`;
  cli.write(file('Reception'));
  const [applied] = await cli.json<{ agent_id: string }[]>('apply', '--project', world.projectId);
  assert.ok(applied);
  const where = { path: { agent_id: applied.agent_id } };
  const { url, server } = await meddlingProxy(cli.baseUrl, () =>
    parley.agents.updateAgent({ ...where, body: { name: 'Theirs' } }),
  );
  try {
    cli.write(file('Ours'));
    const refused = await cli.run(['apply'], { PARLEY_BASE_URL: url });
    assert.equal(refused.code, 4, refused.stderr);
    assert.match(refused.stderr, /ConflictError:/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  assert.equal((await parley.agents.getAgent(where)).name, 'Theirs');
  // From now on the change is reported as drift, and `apply` is refused.
  await cli.fails(4, 'apply');
  await cli.json('apply', '--force');
  assert.equal((await parley.agents.getAgent(where)).name, 'Ours');
}

export const cliConflictChecks: readonly Check[] = [
  { name: 'command line: a write that comes in between is a conflict, and is not written over', run: conflicting },
];
