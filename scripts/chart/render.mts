import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { findHelm } from './helm.mts';

const root = path.resolve(import.meta.dirname, '../..');
export const chart = path.join(root, 'charts/parley');

export type Values = Readonly<Record<string, unknown>>;

/** A rendered manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  /** The data of a ConfigMap. */
  readonly data?: Readonly<Record<string, string>>;
}

export interface Rendered {
  readonly text: string;
  readonly manifests: readonly Manifest[];
}

interface Output {
  readonly ok: boolean;
  readonly output: string;
}

/** What helm printed for this chart, so that each set of values is rendered once for all test files; another chart has another folder. */
const kept = path.join(root, '.parley/helm/outputs', fingerprint());

function fingerprint(): string {
  const hash = createHash('sha256').update(findHelm());
  const files = globSync('**/*', { cwd: chart, withFileTypes: true, exclude: ['snapshots/**'] });
  for (const file of files.filter((one) => one.isFile()).map((one) => path.join(one.parentPath, one.name)))
    hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** Runs helm, or returns what it printed for the same arguments and values. @returns its output, whether it succeeded or not */
export async function helm(args: readonly string[], values: Values = {}): Promise<Output> {
  const asked = createHash('sha256')
    .update(JSON.stringify([args, values]))
    .digest('hex');
  const file = path.join(kept, asked);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Output;
  const result = await helmNow(args, values);
  // A refusal of the chart, not of the machine.
  if (!result.ok && !result.output.startsWith('Error: ')) return result;
  if (!existsSync(kept)) {
    mkdirSync(kept, { recursive: true });
    const outputs = path.dirname(kept);
    for (const name of readdirSync(outputs))
      if (name !== path.basename(kept)) rmSync(path.join(outputs, name), { recursive: true, force: true });
  }
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(result));
  renameSync(`${file}.${process.pid}`, file);
  return result;
}

/** Runs helm in any case. */
export async function helmNow(args: readonly string[], values: Values = {}): Promise<Output> {
  const run = promisify(execFile)(findHelm(), [...args, '--values', '-'], { maxBuffer: 64 << 20 });
  run.child.stdin?.end(stringify(values));
  try {
    const { stdout } = await run;
    return { ok: true, output: stdout };
  } catch (error) {
    return { ok: false, output: error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error) };
  }
}

/** The notes that `helm install` would print. The release is named `here` and is in the namespace `voice`. */
export async function notes(values: Values): Promise<string> {
  const { ok, output } = await helm(
    ['install', 'here', chart, '--namespace', 'voice', '--dry-run=client', '--output', 'json'],
    values,
  );
  if (!ok) throw new Error(output);
  return (JSON.parse(output) as { info: { notes: string } }).info.notes;
}

export const templateArgs = ['template', 'here', chart, '--namespace', 'voice'] as const;

/** @throws Error with helm's message if the chart refuses the values */
export async function render(values: Values): Promise<Rendered> {
  const { ok, output } = await helm(templateArgs, values);
  if (!ok) throw new Error(output);
  return { text: output, manifests: manifestsOf(output) };
}

const parsed = new Map<string, Manifest | null>();

/** The manifests of a text. Most are the same for all values, and each is parsed once. */
export function manifestsOf(text: string): Manifest[] {
  return text.split(/^---$/m).flatMap((document) => {
    const manifest = parsed.get(document) ?? (parseAllDocuments(document)[0]?.toJS() as Manifest | null | undefined);
    parsed.set(document, manifest ?? null);
    return manifest ?? [];
  });
}

/** All different manifests that this process has rendered. */
export const renderedHere = (): Manifest[] => [...parsed.values()].filter((manifest) => manifest !== null);
