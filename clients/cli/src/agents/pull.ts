/** From the platform into files: what the opposite of apply has to keep is what was written in the files meanwhile. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Parley } from '@parley/sdk';
import { parseDocument } from 'yaml';
import { Failure } from '../failure.js';
import { agentFileOf, parseAgent, readLock, writeLock, type Fields, type LockedAgent } from './files.js';
import { changesBetween } from './plan.js';
import { readPlatform } from './work.js';

export interface Pulled {
  readonly slug: string;
  readonly agent_id: string;
  /** Fields of the file that were written. */
  readonly fields: readonly string[];
}

/** What a file of an agent begins with that was made on the platform. */
export const initialFields = [
  'name',
  'mode',
  'languages',
  'first_message',
  'transcriber',
  'model',
  'voice',
  'system_prompt',
];

export const isSet = (value: unknown): boolean => value !== null && value !== undefined;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads show them, and no file holds them: what follows from other fields, and what a write is compared with. */
const isOfReads = (field: string): boolean =>
  ['bound_credentials', 'voice_label', 'expected_tools'].includes(field) || /(^|_)(revision|version)$/.test(field);

interface PullOptions {
  readonly folder: string;
  readonly environment: string;
  /** An agent that has no file yet. */
  readonly agentId: string | undefined;
  /** Takes the platform's side where both changed. */
  readonly force: boolean;
}

/** Writes into the files what was changed on the platform; where both sides changed a field in two ways nothing is written at all. */
export async function pull(parley: Parley, { folder, environment, agentId, force }: PullOptions): Promise<Pulled[]> {
  const lock = readLock(folder, environment);
  const isLocked = Object.values(lock).some(({ agent_id: one }) => one === agentId);
  if (agentId !== undefined && !isLocked) {
    const { seen } = await readPlatform(parley, agentId);
    const slug = slugOf(seen.name, agentId);
    if (existsSync(agentFileOf(folder, slug))) throw new Failure('conflict', `agents/${slug}.md is there already`);
    const fields = Object.fromEntries(initialFields.flatMap((name) => (isSet(seen[name]) ? [[name, seen[name]]] : [])));
    write(folder, slug, fields);
    lock[slug] = { agent_id: agentId, creation: '', applied: fields, seen };
    writeLock(folder, environment, lock);
    return [{ slug, agent_id: agentId, fields: Object.keys(fields) }];
  }
  const locked = Object.entries(lock).filter(([, { agent_id: one }]) => one !== '' && (!agentId || one === agentId));
  if (locked.length === 0) throw new Failure('usage', 'nothing was applied from here: name an agent with --agent');
  const merged = await Promise.all(locked.map(([slug, one]) => merge(parley, folder, slug, one)));
  const conflicts = merged.flatMap(({ slug, conflicts: fields }) => fields.map((field) => `${slug}: ${field}`));
  if (conflicts.length > 0 && !force)
    throw new Failure(
      'conflict',
      ['changed in the file and on the platform; --force takes the platform:', ...conflicts].join('\n  '),
    );
  for (const { slug, changed, seen, one } of merged) {
    write(folder, slug, changed);
    lock[slug] = { ...one, applied: { ...one.applied, ...changed }, seen };
    writeLock(folder, environment, lock);
  }
  return merged.map(({ slug, changed, one }) => ({ slug, agent_id: one.agent_id, fields: Object.keys(changed) }));
}

async function merge(parley: Parley, folder: string, slug: string, one: LockedAgent) {
  const { seen } = await readPlatform(parley, one.agent_id);
  const file = agentFileOf(folder, slug);
  const inFile: Fields = existsSync(file) ? parseAgent(file) : {};
  const changed: Fields = Object.fromEntries(
    changesBetween(one.seen, seen).flatMap(({ field, to }) => (isOfReads(field) ? [] : [[field, to]])),
  );
  // Profiles show the first message as the greeting of their language: a change of it is no change of theirs.
  if ('first_message' in changed && !('language_profiles' in inFile)) delete changed.language_profiles;
  const conflicts = changesBetween(one.applied, inFile)
    .map(({ field }) => field)
    .filter((field) => field in changed && !isDeepStrictEqual(inFile[field], changed[field]));
  return { slug, changed, seen, one, conflicts };
}

const write = (folder: string, slug: string, changed: Fields): void => writeAgent(agentFileOf(folder, slug), changed);

/** Comments and order of the front matter stay. */
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
  const matter = document.toString({ flowCollectionPadding: false });
  writeFileSync(file, `---\n${matter}---\n${prompt === '' ? '' : `\n${prompt}\n`}`);
}

function slugOf(name: unknown, agentId: string): string {
  const slug = textOf(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? agentId : slug;
}
