import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { Parley } from '@parley/sdk';
import { parse, stringify } from 'yaml';
import { Failure } from './failure.js';
import { note } from './output.js';

interface Profile {
  base_url: string;
  api_key: string;
}

interface Profiles {
  current: string;
  profiles: Record<string, Profile>;
}

export const profilesFile = (): string =>
  path.join(process.env.XDG_CONFIG_HOME ?? path.join(homedir(), '.config'), 'parley', 'profiles.yaml');

export function readProfiles(): Profiles {
  try {
    return parse(readFileSync(profilesFile(), 'utf8')) as Profiles;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { current: 'default', profiles: {} };
    throw error;
  }
}

/** Writes the file atomically, readable only by its owner. */
export function writeProfiles(profiles: Profiles): void {
  mkdirSync(path.dirname(profilesFile()), { recursive: true, mode: 0o700 });
  const next = `${profilesFile()}.${process.pid}`;
  writeFileSync(next, stringify(profiles), { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, profilesFile());
}

/** @param otherwise The profile to use if neither an option nor the environment names one; without it, the current profile. */
function profileOf(name: string | undefined, otherwise?: string): Profile | undefined {
  const { current, profiles } = readProfiles();
  return profiles[name ?? process.env.PARLEY_PROFILE ?? otherwise ?? current];
}

/** An address in the environment takes precedence over that of the profile. */
export const baseUrlOf = (name: string | undefined, otherwise?: string): string =>
  process.env.PARLEY_BASE_URL ?? profileOf(name, otherwise)?.base_url ?? 'http://127.0.0.1:8080';

/** A key or an address in the environment takes precedence over that of the profile. */
export function connect(name: string | undefined, otherwise?: string): Parley {
  const apiKey = process.env.PARLEY_API_KEY ?? process.env.SERVICE_API_KEY ?? profileOf(name, otherwise)?.api_key;
  if (apiKey === undefined) throw new Failure('key', 'there is no key: run parley login, or set PARLEY_API_KEY');
  const baseUrl = baseUrlOf(name, otherwise);
  return new Parley({ apiKey, baseUrl, onWarning: ({ message }) => note(`warning: ${message}`) });
}
