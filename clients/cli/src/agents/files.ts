/** Agents as files: YAML front matter with the field names of the contract; the Markdown below it is `system_prompt`. */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { Failure } from '../failure.js';
import { withParts, type Fields } from './parts.js';

export type { Fields };

export interface AgentFile {
  readonly slug: string;
  readonly fields: Fields;
}

export interface LockedAgent {
  /** Empty until the creation has been answered. */
  agent_id: string;
  /** The Idempotency-Key of the creation. */
  creation: string;
  /** The values that were applied last. */
  applied: Fields;
  /** The values on the platform after that. */
  seen: Fields;
}

export type Lock = Record<string, LockedAgent>;

export function readAgents(folder: string): AgentFile[] {
  const at = path.join(folder, 'agents');
  const files = existsSync(at) ? readDirectory(at) : [];
  if (files.length === 0) throw new Failure('usage', `there is no agents/<name>.md in ${folder}`);
  return files.map((name) => readAgent(folder, name.slice(0, -3)));
}

/** The agent with the content of its other files. */
export const readAgent = (folder: string, slug: string): AgentFile => ({
  slug,
  fields: withParts(folder, slug, parseAgent(agentFileOf(folder, slug))),
});

function readDirectory(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort();
}

export const agentFileOf = (folder: string, slug: string): string => path.join(folder, 'agents', `${slug}.md`);

const partsOf = (file: string): (string | undefined)[] =>
  /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(readFileSync(file, 'utf8'))?.slice(1) ?? [];

/** The front matter, with the text below it as the prompt; tools and workflow are still references to files. */
export function parseAgent(file: string): Fields {
  const [, body = ''] = partsOf(file);
  return { ...frontMatterOf(file), ...(body.trim() === '' ? {} : { system_prompt: body.trim() }) };
}

export function frontMatterOf(file: string): Fields {
  const [front] = partsOf(file);
  let fields: unknown;
  try {
    fields = parse(front ?? '');
  } catch (error) {
    throw new Failure('usage', `${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw new Failure('usage', `${file} does not begin with front matter: --- fields ---`);
  return fields as Fields;
}

const lockFile = (folder: string, environment: string): string => path.join(folder, `parley.lock.${environment}.json`);

export function readLock(folder: string, environment: string): Lock {
  const file = lockFile(folder, environment);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Lock) : {};
}

/** The id of an agent that is referred to by id or by its file. @param where the place of the reference, for the error */
export function agentIdOf(agent: string, folder: string, environment: string, where = ''): string {
  if (agent.startsWith('agt_')) return agent;
  const id = readLock(folder, environment)[agent]?.agent_id;
  if (!id) throw new Failure('usage', `${where}agents/${agent}.md was not applied from here: parley apply`);
  return id;
}

export function writeLock(folder: string, environment: string, lock: Lock): void {
  const file = lockFile(folder, environment);
  writeFileSync(`${file}.next`, `${JSON.stringify(lock, null, 2)}\n`);
  renameSync(`${file}.next`, file);
}
