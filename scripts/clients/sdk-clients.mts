/** Tests the clients of the official MCP SDKs: each finds the tools, creates an agent, reads it back, and is refused what REST refuses. */
import assert from 'node:assert/strict';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Check, ClientWorld } from './world.mts';

const identity = { name: 'parley-test-clients', version: '1.0.0' };

/** The methods that all versions of the client have in common. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[]; nextCursor?: string | undefined }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

interface Result {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

/** If the list of tools contains output schemas, clients validate results against them. */
const withOutputSchemas = ({ url }: ClientWorld): URL => new URL('?output_schemas=true', url);

const requestInit = ({ environment }: ClientWorld) => ({
  headers: { authorization: `Bearer ${environment.SERVICE_API_KEY}` },
});

async function v1(world: ClientWorld): Promise<AnyClient> {
  const client = new Client(identity);
  await client.connect(
    new StreamableHTTPClientTransport(withOutputSchemas(world), { requestInit: requestInit(world) }),
  );
  return client;
}

const v2 =
  (mode: 'legacy' | 'auto' | { pin: string }) =>
  async (world: ClientWorld): Promise<AnyClient> => {
    const client = new ModernClient(identity, { versionNegotiation: { mode } });
    await client.connect(new ModernTransport(withOutputSchemas(world), { requestInit: requestInit(world) }));
    return client;
  };

async function useTools(client: AnyClient, { projectId }: ClientWorld): Promise<void> {
  const call = async (name: string, given: Record<string, unknown>): Promise<Result> =>
    await client.callTool({ name, arguments: given });
  const succeed = async (name: string, given: Record<string, unknown>): Promise<Readonly<Record<string, unknown>>> => {
    const result = await call(name, given);
    assert.ok(!result.isError && result.structuredContent, `${name}: ${result.content?.[0]?.text}`);
    return result.structuredContent;
  };
  const { tools } = await client.listTools();
  for (const name of ['create_agent', 'list_agents', 'place_call', 'save_voice_stack', 'update_agent']) {
    assert.ok(
      tools.some((tool) => tool.name === name),
      `${name} is listed`,
    );
  }
  const key = `clients-${Math.random()}`;
  const creation = { project_id: projectId, mode: 'hosted', name: 'Reception', language: 'en', idempotency_key: key };
  const { agent_id } = await succeed('create_agent', creation);
  assert.equal((await succeed('create_agent', creation)).agent_id, agent_id, 'the same key twice is one agent');
  await succeed('save_voice_stack', { agent_id, languages: ['en'] });
  for (const name of ['get_agent', 'get_voice_stack', 'get_variables', 'get_workflow', 'list_publications']) {
    await succeed(name, { agent_id });
  }
  for (const name of ['list_agents', 'list_calls', 'list_agent_endpoints']) await succeed(name, {});
  const missing = await call('get_agent', { agent_id: 'agt_x' });
  assert.equal(missing.isError, true);
  assert.equal((JSON.parse(missing.content?.[0]?.text ?? '') as { error: string }).error, 'NotFoundError');
  const foreign = await call('list_agents', { organization_id: 'org_x' });
  assert.deepEqual([foreign.isError, foreign.content?.[0]?.text], [true, 'MCP organization mismatch']);
}

const clients: readonly (readonly [name: string, connect: (world: ClientWorld) => Promise<AnyClient>])[] = [
  ['the v1 client', v1],
  ['the v2 client, legacy', v2('legacy')],
  ['the v2 client, auto', v2('auto')],
  ['the v2 client, pinned to 2026-07-28', v2({ pin: '2026-07-28' })],
];

export const sdkChecks: readonly Check[] = clients.map(([name, connect]) => ({
  name: `5 r2: ${name} uses the tools with SERVICE_API_KEY`,
  run: async (world) => {
    const client = await connect(world);
    await useTools(client, world).finally(() => client.close());
  },
}));
