/** Tests the command line of the MCP Inspector, used as in a terminal. */
import assert from 'node:assert/strict';
import { runProgram, type Outcome } from './packages.mts';
import type { Check, ClientWorld } from './world.mts';

export const inspectorPackage = '@modelcontextprotocol/inspector@2.12.0';
const program = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';

const inspect = ({ url, folder, environment }: ClientWorld, ...args: string[]): Promise<Outcome> =>
  runProgram(folder, program, [
    ...['--cli', url.href, '--transport', 'http', ...args],
    ...['--header', `Authorization: Bearer ${environment.SERVICE_API_KEY}`],
  ]);

export const inspectorChecks: readonly Check[] = [
  {
    name: 'the Inspector lists the tools and finds no error in a schema',
    run: async (world) => {
      const { code, stdout, stderr } = await inspect(world, '--method', 'tools/list', '--strict');
      assert.equal(code, 0, stderr);
      const { tools } = JSON.parse(stdout) as { tools: { name: string }[] };
      assert.ok(tools.some(({ name }) => name === 'place_call'));
    },
  },
  {
    name: 'the Inspector calls a tool',
    run: async (world) => {
      const { code, stdout, stderr } = await inspect(world, '--method', 'tools/call', '--tool-name', 'list_agents');
      assert.equal(code, 0, stderr);
      assert.ok(Array.isArray((JSON.parse(stdout) as { structuredContent: { data: unknown } }).structuredContent.data));
    },
  },
  {
    name: 'the Inspector shows a refusal as one',
    run: async (world) => {
      const args = ['--method', 'tools/call', '--tool-name', 'get_agent', '--tool-arg', 'agent_id=agt_x'];
      const { code, stdout } = await inspect(world, ...args);
      assert.notEqual(code, 0);
      assert.equal((JSON.parse(stdout) as { isError: boolean }).isError, true);
    },
  },
];
