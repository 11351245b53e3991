import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Parley } from '@parley/sdk';
import { Failure } from '../failure.js';
import { parseAgent } from './files.js';
import { bodiesOf, changesBetween } from './plan.js';
import { firstFields, writeAgent } from './pull.js';
import { readPlatform } from './read.js';
import { resolved } from './resolve.js';
import { stepsOf } from './write.js';

/** Opens an agent in an editor as the file that pull would write. A concurrent change of another person is a conflict. */
export async function editAgent(parley: Parley, agentId: string): Promise<{ agent_id: string; fields: string[] }> {
  const editor = process.env.VISUAL ?? process.env.EDITOR;
  if (editor === undefined) throw new Failure('usage', 'EDITOR does not name an editor');
  const { seen, etag } = await readPlatform(parley, agentId, false);
  const before = firstFields(seen);
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-edit-'));
  const file = path.join(folder, `${agentId}.md`);
  try {
    writeAgent(file, before);
    // Runs in a shell, because EDITOR can contain arguments.
    const { status } = spawnSync(`${editor} "${file}"`, { shell: true, stdio: 'inherit' });
    if (status !== 0) throw new Failure('usage', `the editor ended with ${status}: nothing was written`);
    const fields = parseAgent(file);
    const changes = changesBetween(before, fields).filter(({ field }) => field in fields);
    const bodies = bodiesOf({ slug: agentId, fields }, changes);
    const stack = await resolved(parley, agentId, bodies.stack);
    for (const { run } of stepsOf(parley, agentId, { ...bodies, stack }, etag)) await run();
    return { agent_id: agentId, fields: changes.map(({ field }) => field) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
