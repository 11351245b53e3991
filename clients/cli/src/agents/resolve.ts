/** Resolves references of a file: environment variables in headers of tools, and credentials by name. */
import { items, type Parley } from '@parley/sdk';
import { Failure } from '../failure.js';
import type { Fields } from './files.js';

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body that saves a voice stack with the values of a file. @throws Failure if a reference cannot be resolved */
export async function resolved(parley: Parley, slug: string, stack: Fields): Promise<Fields> {
  const { tools, component_credential_bindings: bindings } = stack;
  return {
    ...stack,
    ...(Array.isArray(tools) ? { tools: tools.map((tool) => withEnvironment(slug, tool)) } : {}),
    ...(isRecord(bindings) ? { component_credential_bindings: await withIds(parley, slug, bindings) } : {}),
  };
}

/** Resolves `${env:NAME}` in values of headers, so that neither files nor the lock contain secrets. */
function withEnvironment(slug: string, tool: unknown): unknown {
  if (!isRecord(tool) || !isRecord(tool.headers)) return tool;
  const headers = Object.entries(tool.headers).map(([name, value]) => [
    name,
    typeof value === 'string'
      ? value.replaceAll(/\$\{env:(\w+)\}/g, (_, variable: string) => ofEnvironment(slug, variable))
      : value,
  ]);
  return { ...tool, headers: Object.fromEntries(headers) as Fields };
}

function ofEnvironment(slug: string, variable: string): string {
  const value = process.env[variable];
  if (value === undefined)
    throw new Failure('usage', `${slug}: the environment variable ${variable}, which a tool header uses, is not set`);
  return value;
}

/** Maps kinds of components to ids of credentials. A name must belong to exactly one credential. */
async function withIds(parley: Parley, slug: string, bindings: Fields): Promise<Fields> {
  const isName = (value: unknown): value is string => typeof value === 'string' && !value.startsWith('cred_');
  if (!Object.values(bindings).some(isName)) return bindings;
  const known: { id: string; name: string | null; kind: string }[] = [];
  for await (const one of items((cursor) =>
    parley.componentCredentials.listComponentCredentials({ query: { cursor } }),
  ))
    known.push({ id: one.component_credential_id, name: one.name ?? null, kind: one.kind });
  const idOf = (kind: string, name: string): string => {
    const found = known.filter((one) => one.name === name && one.kind === kind);
    if (found.length === 1 && found[0]) return found[0].id;
    throw new Failure(
      'usage',
      `${slug}: ${found.length === 0 ? 'no' : 'more than one'} credential for ${kind} is named ${name}`,
    );
  };
  return Object.fromEntries(
    Object.entries(bindings).map(([kind, value]) => [kind, isName(value) ? idOf(kind, value) : value]),
  );
}
