/** Writes the platform's state into files. Changes made in the files in the meantime must be kept. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ParleyError, type Parley } from '@parley/sdk';
import { parseDocument } from 'yaml';
import { Failure } from '../failure.js';
import { note } from '../output.js';
import { agentFileOf, frontMatterOf, readAgent, readLock, writeLock, type Fields, type LockedAgent } from './files.js';
import { toolsForFiles, writeTools, writeWorkflow } from './parts.js';
import { changesBetween, driftOf } from './plan.js';
import { readPlatform } from './read.js';
import { readWorkflow } from './workflow.js';

export interface Pulled {
  readonly slug: string;
  readonly agent_id: string;
  /** The fields of the file that were written. */
  readonly fields: readonly string[];
}

/** The initial content of the file of an agent that was created on the platform. */
const initialFields = ['name', 'mode', 'languages', 'first_message', 'transcriber', 'model', 'voice', 'system_prompt'];

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

export const firstFields = (seen: Fields): Fields =>
  Object.fromEntries(initialFields.flatMap((name) => (isSet(seen[name]) ? [[name, seen[name]]] : [])));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Fields of reads that files do not have: derived fields, and those that writes are compared with. */
const isOfReads = (field: string): boolean =>
  ['bound_credentials', 'voice_label', 'expected_tools'].includes(field) || /(^|_)(revision|version)$/.test(field);

interface PullOptions {
  readonly folder: string;
  readonly environment: string;
  /** An agent that has no file yet. */
  readonly agentId: string | undefined;
  /** Uses the platform's value if both sides changed. */
  readonly force: boolean;
}

/** Writes changes of the platform into the files. If both sides changed a field differently, nothing is written at all. */
export async function pull(parley: Parley, { folder, environment, agentId, force }: PullOptions): Promise<Pulled[]> {
  const lock = readLock(folder, environment);
  const isLocked = Object.values(lock).some(({ agent_id: one }) => one === agentId);
  if (agentId !== undefined && !isLocked) {
    const { seen, fields } = await readNew(parley, agentId);
    const slug = slugOf(seen.name, agentId);
    if (existsSync(agentFileOf(folder, slug))) throw new Failure('conflict', `agents/${slug}.md already exists`);
    write(folder, slug, fields);
    lock[slug] = { agent_id: agentId, creation: '', applied: fields, seen };
    writeLock(folder, environment, lock);
    return [{ slug, agent_id: agentId, fields: Object.keys(fields) }];
  }
  const locked = Object.entries(lock).filter(([, { agent_id: one }]) => one !== '' && (!agentId || one === agentId));
  if (locked.length === 0) throw new Failure('usage', 'no agent was applied from this folder: name one with --agent');
  const merged = await Promise.all(locked.map(([slug, one]) => merge(parley, folder, slug, one)));
  const conflicts = merged.flatMap(({ slug, conflicts: fields }) => fields.map((field) => `${slug}: ${field}`));
  if (conflicts.length > 0 && !force)
    throw new Failure(
      'conflict',
      ['changed in the file and on the platform; --force uses the version of the platform:', ...conflicts].join('\n  '),
    );
  for (const { slug, changed, seen, one } of merged) {
    write(folder, slug, changed);
    const { workflow, ...applied } = { ...one.applied, ...changed };
    lock[slug] = { ...one, applied: isSet(workflow) ? { ...applied, workflow } : applied, seen };
    writeLock(folder, environment, lock);
  }
  return merged.map(({ slug, changed, one }) => ({ slug, agent_id: one.agent_id, fields: Object.keys(changed) }));
}

/** The initial content of the file of an agent without one, and the values on the platform. */
async function readNew(parley: Parley, agentId: string): Promise<{ seen: Fields; fields: Fields }> {
  const { seen } = await readPlatform(parley, agentId, false);
  const tools = toolsForFiles(seen.tools, []);
  const parts: Fields = { tools, variables: seen.variables };
  const fields = {
    ...firstFields(seen),
    ...Object.fromEntries(Object.entries(parts).filter(([, list]) => Array.isArray(list) && list.length > 0)),
  };
  const workflow = await workflowOf(parley, agentId);
  return workflow === null ? { seen, fields } : { seen: { ...seen, workflow }, fields: { ...fields, workflow } };
}

/** A key may lack the scope of workflows; the rest of the agent is still pulled. */
async function workflowOf(parley: Parley, agentId: string) {
  try {
    return (await readWorkflow(parley, agentId)).published;
  } catch (error) {
    if (!(error instanceof ParleyError) || error.status !== 403) throw error;
    note(`${agentId}: pulled without its workflow, if it has one: ${error.message}`);
    return null;
  }
}

async function merge(parley: Parley, folder: string, slug: string, one: LockedAgent) {
  const inFile: Fields = existsSync(agentFileOf(folder, slug)) ? readAgent(folder, slug).fields : {};
  const { seen } = await readPlatform(parley, one.agent_id, 'workflow' in one.seen || 'workflow' in inFile);
  const changed: Fields = Object.fromEntries(
    driftOf(one, seen).flatMap(({ field, to }) =>
      isOfReads(field) ? [] : [[field, field === 'tools' ? toolsForFiles(to, inFile.tools) : to]],
    ),
  );
  // Profiles show the first message as the greeting of their language, so a change of it is not a change of the profiles.
  if ('first_message' in changed && !('language_profiles' in inFile)) delete changed.language_profiles;
  const conflicts = changesBetween(one.applied, inFile)
    .map(({ field }) => field)
    .filter((field) => field in changed && !isDeepStrictEqual(inFile[field], changed[field]));
  return { slug, changed, seen, one, conflicts };
}

/** Writes each part into its file. */
function write(folder: string, slug: string, changed: Fields): void {
  const { workflow, tools, ...rest } = changed;
  if ('workflow' in changed) writeWorkflow(folder, slug, workflow);
  const file = agentFileOf(folder, slug);
  if (!Array.isArray(tools)) return writeAgent(file, rest);
  const isThere = existsSync(file);
  const held = isThere ? frontMatterOf(file).tools : undefined;
  const entries = writeTools(folder, held, tools, !isThere);
  writeAgent(file, isDeepStrictEqual(held, entries) ? rest : { ...rest, tools: entries });
}

/** Keeps comments and order of the front matter. */
export function writeAgent(file: string, changed: Fields): void {
  if (Object.keys(changed).length === 0) return;
  const held = existsSync(file) ? readFileSync(file, 'utf8') : '---\n---\n';
  const [, front = '', body = ''] = /^---\r?\n([\s\S]*?)\r?\n?---\r?\n?([\s\S]*)$/.exec(held) ?? [];
  const document = parseDocument(front);
  for (const [field, value] of Object.entries(changed)) {
    if (field === 'system_prompt') continue;
    if (value === undefined) document.delete(field);
    else document.set(field, value);
  }
  const prompt = 'system_prompt' in changed ? textOf(changed.system_prompt) : body.trim();
  mkdirSync(path.dirname(file), { recursive: true });
  const matter = document.toString({ flowCollectionPadding: front.includes('{ '), lineWidth: 0 });
  writeFileSync(file, `---\n${matter}---\n${prompt === '' ? '' : `\n${prompt}\n`}`);
}

function slugOf(name: unknown, agentId: string): string {
  const slug = textOf(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? agentId : slug;
}
