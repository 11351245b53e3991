/** The parts of an agent in separate files: tools/<name>.yaml, to which the front matter refers, and workflows/<name of the agent>.yaml. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, parseDocument, stringify } from 'yaml';
import { Failure } from '../failure.js';

export type Fields = Record<string, unknown>;

/** An entry of `tools` that refers to a file. */
interface Reference {
  readonly file: string;
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isReference = (entry: unknown): entry is Reference =>
  isRecord(entry) && typeof entry.file === 'string' && !('type' in entry);

const workflowFileOf = (folder: string, slug: string): string => path.join(folder, 'workflows', `${slug}.yaml`);

/** The name by which a model calls a tool. */
export function nameOfTool(tool: unknown): string {
  if (!isRecord(tool)) return typeof tool === 'string' ? tool : '';
  const { name, action } = tool;
  return typeof name === 'string' ? name : typeof action === 'string' ? action : '';
}

/** The fields of an agent's front matter, with its tools and its workflow. @throws Failure */
export function withParts(folder: string, slug: string, fields: Fields): Fields {
  const { tools } = fields;
  const workflow = workflowFileOf(folder, slug);
  if ('workflow' in fields) throw new Failure('usage', `agents/${slug}.md: the workflow belongs in ${workflow}`);
  return {
    ...fields,
    ...(Array.isArray(tools)
      ? { tools: tools.map((one: unknown) => (isReference(one) ? readTool(folder, slug, one) : one)) }
      : {}),
    ...(existsSync(workflow) ? { workflow: readPart(workflow) } : {}),
  };
}

function readTool(folder: string, slug: string, { file }: Reference): Fields {
  if (!/^tools\/[^/]+\.ya?ml$/.test(file))
    throw new Failure('usage', `agents/${slug}.md: the file of a tool must be tools/<name>.yaml, not ${file}`);
  return readPart(path.join(folder, file));
}

function readPart(file: string): Fields {
  let read: unknown;
  try {
    read = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Failure('usage', message.includes(file) ? message : `${file}: ${message}`);
  }
  if (!isRecord(read)) throw new Failure('usage', `${file} is not a mapping`);
  return read;
}

/** Masked values in reads. */
const masked = '***';

/** Tools as a file stores them: without fields that only reads have. A header that reads mask keeps the value of the file. */
export function toolsForFiles(read: unknown, inFile: unknown): unknown {
  if (!Array.isArray(read)) return read;
  const held = new Map(
    (Array.isArray(inFile) ? inFile : []).map((tool): [string, unknown] => [nameOfTool(tool), tool]),
  );
  return read.map((tool: unknown) => {
    if (!isRecord(tool)) return tool;
    const { read_only: _readOnly, secret: _secret, headers, ...rest } = tool;
    if (!isRecord(headers)) return rest;
    const found = held.get(nameOfTool(tool));
    const before = isRecord(found) && isRecord(found.headers) ? found.headers : {};
    const kept = Object.entries(headers).map(([name, value]) => [
      name,
      value === masked ? (before[name] ?? value) : value,
    ]);
    return { ...rest, headers: Object.fromEntries(kept) as Fields };
  });
}

/**
 * Writes tools where the front matter refers to them. A new webhook tool gets a file if other tools of the agent have one, or if the agent
 * is new.
 * @returns the entries of the front matter
 */
export function writeTools(folder: string, entries: unknown, tools: readonly unknown[], isNew: boolean): unknown[] {
  const files = new Map<string, string>();
  for (const entry of Array.isArray(entries) ? entries : [])
    if (isReference(entry) && existsSync(path.join(folder, entry.file)))
      files.set(nameOfTool(readPart(path.join(folder, entry.file))), entry.file);
  const isSplit = isNew || files.size > 0;
  return tools.map((tool) => {
    const name = nameOfTool(tool);
    if (!isRecord(tool)) return tool;
    const file = files.get(name) ?? (isSplit && tool.type === 'webhook' ? freeFileOf(folder, name, tool) : undefined);
    if (file === undefined) return tool;
    writePart(path.join(folder, file), tool);
    return { file };
  });
}

/** A file name that is free, or whose file has the same tool: another agent can have a different tool with this name. */
function freeFileOf(folder: string, name: string, tool: Fields): string {
  for (let n = 1; ; n += 1) {
    const file = `tools/${name}${n === 1 ? '' : `-${n}`}.yaml`;
    const at = path.join(folder, file);
    if (!existsSync(at) || isDeepStrictEqual(readPart(at), tool)) return file;
  }
}

/** @param workflow null: none, and no file either */
export function writeWorkflow(folder: string, slug: string, workflow: unknown): void {
  const file = workflowFileOf(folder, slug);
  if (isRecord(workflow)) writePart(file, workflow);
  else rmSync(file, { force: true });
}

/** Keeps comments and order, and uses the file that it already has. */
function writePart(file: string, value: Fields): void {
  mkdirSync(path.dirname(file), { recursive: true });
  if (!existsSync(file)) return writeFileSync(file, stringify(value, { lineWidth: 0 }));
  const before = readPart(file);
  if (isDeepStrictEqual(before, value)) return;
  const text = readFileSync(file, 'utf8');
  const document = parseDocument(text);
  for (const name of Object.keys(before)) if (!(name in value)) document.delete(name);
  for (const [name, one] of Object.entries(value)) if (!isDeepStrictEqual(before[name], one)) document.set(name, one);
  // The closest that the library comes to the original formatting.
  writeFileSync(file, document.toString({ flowCollectionPadding: text.includes('{ '), lineWidth: 0 }));
}
