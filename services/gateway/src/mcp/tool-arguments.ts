import type { JsonObject, RawQuery } from '@parley/contract';
import { badRequest } from '@parley/errors';
import { ownArguments, type RouteTool } from './tool';

/** A tool's arguments, divided into the path, query and body of the REST request. */
export interface SortedArguments {
  readonly params: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  readonly body: JsonObject;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string;
}

/**
 * Divides a tool's arguments.
 * @param organizationId the key's organization; it is used for a required body field, so that a model need not know it
 * @throws AppError BadRequestError naming an argument that is missing or has the wrong type; the owning service validates the body fields
 */
export function sortArguments(tool: RouteTool, given: JsonObject, organizationId: string): SortedArguments {
  const params: Record<string, string> = {};
  const query: Record<string, string> = {};
  for (const name of tool.inPath) params[name] = text(name, given[name]);
  for (const name of tool.inQuery) {
    const value = given[name];
    if (isEntries(value)) for (const [key, of] of Object.entries(value)) query[`${name}[${key}]`] = queryText(name, of);
    else if (value !== undefined) query[name] = queryText(name, value);
  }
  const body = bodyArguments(tool, given);
  const { declaration } = tool.route;
  const named = given[ownArguments.organizationId];
  if (named !== undefined) body[ownArguments.organizationId] = named;
  else if (organizationId !== '' && tool.needsOrganization) body[ownArguments.organizationId] = organizationId;
  return {
    params,
    query,
    body,
    idempotencyKey: declaration.creates ? optionalText(given, ownArguments.idempotencyKey) : undefined,
    ifMatch: declaration.conditional ? (optionalText(given, ownArguments.ifMatch) ?? '') : '',
  };
}

/** The arguments that form the body of the REST request, without the organization. */
export function bodyArguments(tool: RouteTool, given: JsonObject): JsonObject {
  const body: JsonObject = Object.create(null);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || tool.inPath.includes(name) || tool.inQuery.includes(name)) continue;
    if (!isOwn(tool, name)) body[name] = value;
  }
  return body;
}

/** Whether an argument is one of the common arguments and not a body field. If the body has a field with that name, the argument is also a body field. */
function isOwn({ route: { declaration }, bodyFields }: RouteTool, name: string): boolean {
  if (name === ownArguments.organizationId) return true;
  if (name === ownArguments.idempotencyKey) return declaration.creates && !bodyFields.has(name);
  return name === ownArguments.ifMatch && declaration.conditional;
}

function text(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw badRequest(`${name} is required and must be a string`);
  return value;
}

function optionalText(given: JsonObject, name: string): string | undefined {
  const value = given[name];
  return value === undefined ? undefined : text(name, value);
}

/** An object, whose entries are parameters of their own. */
const isEntries = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The argument's value as text, as it would be in a query string. */
function queryText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
  throw badRequest(`${name} must be a string, a number, true, false or a list of strings`);
}
