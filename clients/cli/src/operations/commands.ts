/** Creates a command for an operation: parameters of the path become arguments, those of the query and the fields of the body become options. */
import { readFileSync } from 'node:fs';
import { items, type Page } from '@parley/sdk';
import type { Command } from 'commander';
import { agentIdOf } from '../agents/files.js';
import type { Context } from '../context.js';
import { Failure } from '../failure.js';
import type { Kind, Operation } from '../generated/operations.gen.js';
import { note, show, tableOf } from '../output.js';
import { operationOf, optionOf, pathParametersOf, perform, type Values } from './call.js';

export interface Further {
  /** Fixed fields of the body, for a command that stands for one decision. */
  readonly body?: Values;
  readonly options?: readonly (readonly [flags: string, description: string])[];
  /** Called with the response before it is shown. */
  readonly after?: (
    answer: Values,
    given: { options: Values; path: Readonly<Record<string, string>> },
  ) => Promise<unknown>;
}

type Named = readonly [name: string, kind: Kind];

const pageOf = ({ data, next_cursor: next }: Values): Page<unknown> => ({
  data: Array.isArray(data) ? data : [],
  next_cursor: typeof next === 'string' ? next : null,
});

const placeholders: Readonly<Record<Kind, string>> = {
  string: '<text>',
  number: '<number>',
  boolean: '<true|false>',
  list: '<a,b>',
  json: '<json>',
};

export function addOperation(
  parent: Command,
  name: string,
  id: string,
  context: Context,
  further: Further = {},
): Command {
  const operation = operationOf(id);
  // The organization is an argument only of commands about organizations.
  const positional = pathParametersOf(operation).filter((one) => one !== 'organization_id' || parent.name() === 'orgs');
  const isList = 'cursor' in operation.query;
  const query = Object.entries(operation.query);
  const fields = Object.entries(operation.fields).filter(([field]) => !(field in (further.body ?? {})));
  const command = parent.command(name).description(operation.summary);
  for (const parameter of positional) command.argument(`<${parameter}>`);
  const ofPath = pathParametersOf(operation).filter((one) => !positional.includes(one));
  const kinds = new Map<string, Kind>([...ofPath.map((one): Named => [one, 'string']), ...fields, ...query]);
  for (const [field, kind] of kinds)
    command.option(isSecret(field) ? fileOptionOf(field) : `${optionOf(field)} ${placeholders[kind]}`);
  if (operation.body && further.body === undefined)
    command.option('-d, --data <json>', 'the body: JSON, @ and a file, or - for standard input');
  if (operation.matches) command.option('--if-match <etag>', 'refused if the current version differs');
  if (isList) command.option('--all', 'every page');
  for (const [flags, description] of further.options ?? []) command.option(flags, description);
  command.action(async (...given: unknown[]) => {
    const options = given.at(-2) as Values;
    const path = pathOf(operation, positional, given as string[], options);
    const headers: Record<string, string> = typeof options.ifMatch === 'string' ? { 'If-Match': options.ifMatch } : {};
    const body: Values = { ...dataOf(options.data), ...chosen(fields, options), ...further.body };
    if (typeof body.agent_id === 'string') body.agent_id = agentIdOf(body.agent_id, '.', 'default');
    const parley = context.client();
    const ask = async (cursor?: string) => {
      const asked = { ...chosen(query, options), ...(cursor === undefined ? {} : { cursor }) };
      return (await perform(parley, operation, { path, query: asked, body, headers }, context.stop)) as Values;
    };
    if (options.all === true) {
      const data: unknown[] = [];
      for await (const one of items(async (cursor) => pageOf(await ask(cursor)))) data.push(one);
      show(data, context.common(), () => tableOf(data));
      return;
    }
    const answer = await ask();
    const shown = further.after ? await further.after(answer, { options, path }) : answer;
    show(shown, context.common(), () => tableOf(shown));
    if (isList && typeof answer.next_cursor === 'string' && answer.has_more !== false)
      note(`more results: --cursor ${answer.next_cursor}, or --all`);
  });
  return command;
}

function pathOf(operation: Operation, positional: readonly string[], given: readonly string[], options: Values) {
  const path: Record<string, string> = {};
  for (const [index, name] of positional.entries()) path[name] = given[index] ?? '';
  if (path.agent_id !== undefined) path.agent_id = agentIdOf(path.agent_id, '.', 'default');
  if (
    operation.url.includes('{organization_id}') &&
    path.organization_id === undefined &&
    typeof options.organizationId === 'string'
  )
    path.organization_id = options.organizationId;
  return path;
}

/** Other users of the machine can see arguments, and shells store them, so a secret is read from a file, or from standard input with -. */
const isSecret = (field: string): boolean => /(^|_)(secret|token|password)$/.test(field);
const fileOptionOf = (field: string): string => `${optionOf(field)}-file <file>`;

/** The name that commander gives to an option. */
const attributeOf = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function chosen(named: readonly Named[], options: Values): Values {
  return Object.fromEntries(
    named.flatMap(([name, kind]) => {
      const value = options[attributeOf(isSecret(name) ? `${name}_file` : name)];
      if (typeof value !== 'string') return [];
      return [[name, isSecret(name) ? fileOf(value).trim() : readAs(kind, name, value)]];
    }),
  );
}

function readAs(kind: Kind, name: string, value: string): unknown {
  if (kind === 'string') return value;
  if (kind === 'list') return value.split(',');
  if (kind === 'number') {
    if (value.trim() === '' || Number.isNaN(Number(value))) throw new Failure('usage', `${optionOf(name)}: a number`);
    return Number(value);
  }
  if (kind === 'boolean') {
    if (value !== 'true' && value !== 'false') throw new Failure('usage', `${optionOf(name)}: true or false`);
    return value === 'true';
  }
  try {
    return JSON.parse(value) as unknown;
  } catch {
    // A field that can be an object or a text, such as a voice.
    return value;
  }
}

/** Parses a body. @throws Failure if it is not JSON */
export function dataOf(data: unknown): Values {
  if (typeof data !== 'string') return {};
  const text = data === '-' || data.startsWith('@') ? fileOf(data.replace(/^@/, '')) : data;
  try {
    return JSON.parse(text) as Values;
  } catch {
    throw new Failure('usage', '--data is not JSON');
  }
}

/** @param file - stands for standard input */
export function fileOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new Failure('usage', error instanceof Error ? error.message : file);
  }
}
