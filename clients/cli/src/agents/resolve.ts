/** What a file names and does not hold: values of the environment in headers of tools, and credentials by their names. */
import { items, type Parley } from '@parley/sdk';
import { Failure } from '../failure.js';
import type { Fields } from './files.js';

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body of a voice stack's save, of what a file has. @throws Failure where a name stands for nothing */
export async function resolved(parley: Parley, slug: string, stack: Fields): Promise<Fields> {
  const { tools, component_credential_bindings: bindings } = stack;
  return {
    ...stack,
    ...(Array.isArray(tools) ? { tools: tools.map((tool) => withEnvironment(slug, tool)) } : {}),
    ...(isRecord(bindings) ? { component_credential_bindings: await withIds(parley, slug, bindings) } : {}),
  };
}

/** `${env:NAME}` in the values of headers, so that neither a file nor the lock holds a secret. */
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
    throw new Failure('usage', `${slug}: the environment has no ${variable}, which a header of a tool names`);
  return value;
}

/** Kinds of components with the ids of credentials; where one is named, its name has to be that of one alone. */
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
