import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { findHelm } from './helm.mts';

export const chart = path.resolve(import.meta.dirname, '../../charts/parley');

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

/** Runs helm. @returns its output, whether it succeeded or not */
export async function helm(args: readonly string[], values: Values = {}): Promise<{ ok: boolean; output: string }> {
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

/** @throws Error with helm's message if the chart refuses the values */
export async function render(values: Values): Promise<Rendered> {
  const { ok, output } = await helm(['template', 'here', chart, '--namespace', 'voice'], values);
  if (!ok) throw new Error(output);
  const manifests = parseAllDocuments(output)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
  return { text: output, manifests };
}
