/** parley.yaml: what the environments of a folder stand for. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { Failure } from '../failure.js';

interface Environment {
  /** Of parley login. */
  readonly profile?: string;
  /** Of new agents. */
  readonly project?: string;
}

/** @throws Failure for one that the file does not have: a mistyped name would apply every agent as a new one */
export function environmentOf(folder: string, name: string): Environment {
  const file = path.join(folder, 'parley.yaml');
  if (!existsSync(file)) return {};
  let read: unknown;
  try {
    read = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure('usage', `${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const environments = isRecord(read) && isRecord(read.environments) ? read.environments : undefined;
  if (environments === undefined) throw new Failure('usage', `${file}: environments: a mapping`);
  const found = Object.hasOwn(environments, name) ? (environments[name] ?? {}) : undefined;
  if (found === undefined && name === 'default') return {};
  if (!isRecord(found))
    throw new Failure('usage', `${file} has no environment ${name}: ${Object.keys(environments).join(', ')}`);
  const { profile, project, ...others } = found;
  const isText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';
  if (!isText(profile) || !isText(project) || Object.keys(others).length > 0)
    throw new Failure('usage', `${file}: ${name}: it has a profile and a project, both texts, and nothing else`);
  return { ...(profile === undefined ? {} : { profile }), ...(project === undefined ? {} : { project }) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
