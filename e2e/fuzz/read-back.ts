import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../api';
import { isObject } from '../documented/forms';
import { branchesOf, fieldsOf, isValid, operations, resolved, type Operation, type Schema } from './openapi';
import { omit, partsShown, type Json } from './shown-elsewhere';
import type { World } from './world';

/**
 * Checks that accepted values are returned by reads: each field has the value that was sent, except for those that a read may omit. Also checks that the
 * response of a write equals the next read.
 * @throws Error naming the field
 */
export async function expectReadBack(world: World, operation: Operation, sent: Json, answer: Answer): Promise<void> {
  const fields = resolved(operation.body ?? {}).properties ?? {};
  for (const { values, read } of await partsShown(world, operation, sent, answer)) {
    for (const [name, value] of Object.entries(values)) {
      const field = fields[name];
      if (field === undefined || field.readOnly === true) continue;
      expectShown(`${operation.id} ${name}`, field, value, read[name]);
    }
  }
  await expectSameOnRead(world, operation, answer);
}

/** Compares a value as sent with the value as read. */
function expectShown(at: string, schema: Schema, sent: unknown, read: unknown): void {
  if (isNothing(schema, sent) && isNothing(schema, read)) return;
  if (read === undefined) throw new Error(`${at}: ${JSON.stringify(sent)} was accepted and is not shown`);
  const target = branchFor(schema, sent);
  if (target.properties !== undefined && isObject(sent) && isObject(read)) {
    for (const [name, value] of Object.entries(sent)) {
      const field = target.properties[name] ?? {};
      if (field.readOnly !== true) expectShown(`${at}.${name}`, field, value, read[name]);
    }
    return;
  }
  if (Array.isArray(sent) && Array.isArray(read) && sent.length === read.length) {
    sent.forEach((item, index) => expectShown(`${at}[${index}]`, target.items ?? {}, item, read[index]));
    return;
  }
  const isTime = target.format === 'date-time' && typeof sent === 'string' && typeof read === 'string';
  if (!(isTime ? Date.parse(sent) === Date.parse(read) : isDeepStrictEqual(sent, read)))
    throw new Error(`${at}: ${JSON.stringify(sent)} reads ${JSON.stringify(read)}`);
}

/** Whether a read may omit the value: null, an empty value, or the default. */
function isNothing(schema: Schema, value: unknown): boolean {
  const target = branchFor(schema, value);
  if (value === undefined || value === null || value === '' || isDeepStrictEqual(value, target.default)) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isObject(value)) return false;
  return Object.entries(value).every(([name, inner]) => isNothing(target.properties?.[name] ?? {}, inner));
}

/** The alternative schema that the value satisfies. */
function branchFor(schema: Schema, value: unknown): Schema {
  const branches = branchesOf(schema) ?? [];
  const fitting =
    branches.find((branch) => isValid(branch, value)) ?? branches.find(({ properties }) => properties !== undefined);
  return fitting ?? resolved(schema);
}

const readAt = (path: string): Operation | undefined =>
  operations.find((other) => other.method === 'GET' && other.path === path);

/** Compares the response of a write with a read of the same record: they are equal, except for values that are shown only once. */
async function expectSameOnRead(world: World, operation: Operation, answer: Answer): Promise<void> {
  // The state of a call, a message, an erasure or an extraction may change between its creation and the read.
  if (
    [
      '/v1/calls',
      '/v1/trial-calls',
      '/v1/messages',
      '/v1/erasures',
      '/v1/agents/{agent_id}/extraction/reruns',
      '/v1/simulation-suites/{simulation_suite_id}/runs',
    ].includes(operation.path)
  )
    return;
  const path = await world.pathOf(operation);
  const id = operations.map((other) => parameterBelow(operation.path, other.path)).find((name) => name !== undefined);
  const creates = operation.method === 'POST' && id !== undefined;
  const read = creates ? readAt(`${operation.path}/{${id}}`) : readAt(operation.path);
  if (read === undefined || (operation.method === 'POST' && !creates)) return;
  // An operator may have written a record of another organization than the customer's.
  const reader = world.apiFor(world.isOfCustomer(operation) ? read : operation);
  const again = await reader.get(creates ? `${path}/${String(answer.body[id])}` : path);
  if (again.status !== 200) throw new Error(`what ${operation.id} wrote reads ${again.status}`);
  const lasting = Object.entries(withoutSecretsOfTools(answer.body, again.body)).filter(([name]) =>
    fieldsOf(read.answer).includes(name),
  );
  if (!isDeepStrictEqual(Object.fromEntries(lasting), again.body))
    throw new Error(
      `${operation.id} answered ${JSON.stringify(answer.body)}, a read shows ${JSON.stringify(again.body)}`,
    );
}

/** Secrets of webhook tools are shown only once: in the tools that a save returns, which reads of the voice stack do not contain. */
function withoutSecretsOfTools({ tools, ...rest }: Json, read: Json): Json {
  if (!Array.isArray(tools) || read.tools === undefined) return rest;
  return { ...rest, tools: tools.map((tool: unknown) => (isObject(tool) ? omit(tool, ['secret']) : tool)) };
}

/** The name of the path parameter that is appended to another path. */
function parameterBelow(base: string, path: string): string | undefined {
  const rest = path.startsWith(`${base}/`) ? path.slice(base.length + 1) : '';
  return /^\{(\w+)\}$/.exec(rest)?.[1];
}
