import { engineComponents } from '@parley/contract';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { vendorFiles } from '../providers';
import { vendorOf, type Vendor } from './vendor-file';

type Json = Readonly<Record<string, unknown>>;

const mostBytes = 1024 * 1024;
const offers = ['transcribers', 'models', 'voices'] as const;

export const builtInVendors: readonly Vendor[] = vendorFiles.map(vendorOf);

/**
 * The vendors of this release, changed by the files of the operator's folder (docs/reference/voice-stack.md#own-catalogue). A file has the form of the built-in
 * ones, but only with what it adds or changes; `hidden: true` takes a vendor or a model away.
 * @throws Error naming the file and what is wrong with it; nothing of the folder is used then
 */
export async function vendorsWith(folder: string): Promise<readonly Vendor[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const merged = new Map<string, Json>(vendorFiles.map((file) => [file.provider, file]));
  for (const name of names) {
    try {
      const file = await readObject(path.join(folder, name));
      const { provider } = file;
      if (typeof provider !== 'string' || !Object.hasOwn(engineComponents, provider))
        throw new Error(`provider must be one of ${Object.keys(engineComponents).join(', ')}`);
      const { hidden, ...vendor } = mergedVendor(merged.get(provider) ?? {}, file);
      if (hidden === true) merged.delete(provider);
      else merged.set(provider, vendor);
      if (hidden !== true) vendorOf(vendor);
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  return [...merged.values()].map(vendorOf);
}

async function readObject(file: string): Promise<Json> {
  if ((await stat(file)).size > mostBytes) throw new Error(`is larger than ${mostBytes} bytes`);
  return objectOf(JSON.parse(await readFile(file, 'utf8')));
}

function objectOf(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be a JSON object');
  return value as Json;
}

function mergedVendor(base: Json, file: Json): Json {
  const merged: Record<string, unknown> = { ...base, ...file };
  for (const offer of offers) {
    if (file[offer] === undefined) continue;
    const [before, given] = [objectOf(base[offer] ?? {}), objectOf(file[offer])];
    merged[offer] = { ...before, ...given, models: mergedModels(listOf(before.models), listOf(given.models)) };
  }
  return merged;
}

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

function mergedModels(base: readonly Json[], given: readonly Json[]): readonly Json[] {
  const models = new Map(base.map((entry) => [entry.model, entry]));
  for (const { hidden, ...entry } of given) {
    if (hidden === true) models.delete(entry.model);
    else models.set(entry.model, { ...withoutPrice(models.get(entry.model) ?? {}, entry), ...entry });
  }
  return [...models.values()];
}

/** A price of the operator is not an estimate. */
function withoutPrice(base: Json, { price, micros_per_minute: micros }: Json): Json {
  if (price === undefined && micros === undefined) return base;
  const { price: _price, micros_per_minute: _micros, estimated, ...rest } = base;
  const others = Array.isArray(estimated) ? estimated.filter((figure) => figure !== 'cost_micros_per_minute') : [];
  return { ...rest, ...(others.length > 0 && { estimated: others }) };
}
