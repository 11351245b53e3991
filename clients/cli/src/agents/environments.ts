/** parley.yaml: the meaning of the environments of a folder. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { Failure } from '../failure.js';

interface Environment {
  /** The profile that `parley login` stored. */
  readonly profile?: string;
  /** The project of new agents. */
  readonly project?: string;
}

/** @throws Failure if the file does not have the environment, because a mistyped name would create every agent again */
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
    throw new Failure('usage', `${file}: ${name}: only profile and project are allowed, both as strings`);
  return { ...(profile === undefined ? {} : { profile }), ...(project === undefined ? {} : { project }) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
