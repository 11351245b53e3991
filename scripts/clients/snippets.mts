/**
 * Runs the code in pages of the documentation. Every fenced block in a runnable language is marked ` run` (a shell block), ` file=<name>` (a file written next
 * to them), or ` not-run="<reason>"`. The shell blocks of a page are one script, run in a separate folder against the platform of these checks.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Parley } from '../../clients/typescript/dist/index.js';
import { root } from '../platform/options.mts';
import { blocksOf, executablePages } from '../guide/blocks.mts';
import type { Check, ClientWorld } from './world.mts';

/** Moves a number into the project, from which calls are then placed. */
export async function numberOf(parley: Parley, projectId: string): Promise<void> {
  const { organization } = await parley.me.getMe();
  const { data } = await parley.numbers.listNumbers();
  if (organization && data.length === 0)
    await parley.numbers.createNumber({
      body: {
        organization_id: organization.organization_id,
        project_id: projectId,
        phone_number: '+15005550100',
        provider: 'simulator',
      },
    });
}

function folderFor(world: ClientWorld, page: string): string {
  const folder = mkdtempSync(path.join(world.folder, `${path.basename(page, '.md')}-`));
  mkdirSync(path.join(folder, '.parley'));
  writeFileSync(path.join(folder, '.parley/dev.json'), JSON.stringify(world.keys));
  // Simulates the checkout: it links the built command line, and the SDK, which is a dependency of the checkout's root.
  for (const name of ['clients', 'examples']) symlinkSync(path.join(root, name), path.join(folder, name));
  mkdirSync(path.join(folder, 'node_modules/@parley'), { recursive: true });
  symlinkSync(realpathSync(path.join(root, 'node_modules/@parley/sdk')), path.join(folder, 'node_modules/@parley/sdk'));
  return folder;
}

async function runPage(world: ClientWorld, page: string): Promise<void> {
  await numberOf(new Parley({ apiKey: world.environment.SERVICE_API_KEY, baseUrl: world.url.origin }), world.projectId);
  const folder = folderFor(world, page);
  const blocks = blocksOf(readFileSync(path.join(root, 'docs', page), 'utf8'));
  for (const { file, code } of blocks) {
    if (file === undefined) continue;
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), code);
  }
  const script = blocks.flatMap(({ runs, code }) => (runs ? [code] : [])).join('\n');
  assert.ok(script !== '', `${page} runs nothing`);
  const PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
  const shell = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-O', 'expand_aliases', '-c', script], {
    cwd: folder,
    env: { PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(shell, 'close')) as [number | null];
  assert.equal(code, 0, `the code of docs/${page} ended with ${code}:\n${output}`);
}

export const snippetChecks: readonly Check[] = executablePages.map((page) => ({
  name: `documentation: the code of docs/${page} runs as it is printed`,
  run: (world) => runPage(world, page),
}));
