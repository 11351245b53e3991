/** Which examples of docs/openapi.json the end-to-end tests have sent and received, by the lines that e2e/documented writes. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Schema {
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
}

type Contents = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

interface Described {
  readonly $ref?: string;
  readonly content?: Contents;
}

interface Operation {
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, Described>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Described>>;
  };
}

/** The acceptance of an example of a request, by its place in the list, or a success and how it differs from its example. */
export type Proof =
  | { readonly operation: string; readonly request: number }
  | {
      readonly operation: string;
      readonly success: string;
      readonly differences: readonly string[];
      readonly compared: readonly string[];
    };

/** The proofs of all processes of a run. A process that was killed may have left half a line. */
export function proofsIn(folder: string): Proof[] {
  return readdirSync(folder).flatMap((file) =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Proof),
  );
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const lastStep = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** Successes that no end-to-end test can receive, with the test that does. */
const testedElsewhere: ReadonlyMap<string, string> = new Map([
  [
    // Only a command mints the key of the hosted media gateway.
    'POST /v1/gateway/calls/{call_id}/authorize 200 application/json',
    'services/telephony/test/gateway-deployments.int.test.ts',
  ],
]);

/** Where a success that a test received differs from its example. */
export const differing = (proofs: readonly Proof[]): string[] => {
  const found = proofs.flatMap((proof) =>
    'request' in proof ? [] : proof.differences.map((text) => `${proof.operation} ${proof.success}: ${text}`),
  );
  return [...new Set(found)].sort();
};

/** What is missing: every example of a request must have been accepted, and every success received, without a difference from its example. */
export function unproven({ paths, components }: Document, proofs: readonly Proof[]): string[] {
  const examplesOf = ({ schema, example }: Contents[string]): readonly unknown[] => {
    if (example !== undefined) return [example];
    return (schema.$ref === undefined ? schema : components.schemas[lastStep(schema.$ref)])?.examples ?? [];
  };
  const accepted = new Set(
    proofs.flatMap((proof) => ('request' in proof ? [`${proof.operation} ${proof.request}`] : [])),
  );
  const received = new Map<string, Set<string>>();
  const missing = new Set(differing(proofs));
  for (const proof of proofs) {
    if ('request' in proof) continue;
    const at = `${proof.operation} ${proof.success}`;
    const compared = received.get(at) ?? new Set();
    for (const field of proof.compared) compared.add(field);
    received.set(at, compared);
  }
  for (const [template, item] of Object.entries(paths)) {
    for (const method of methods) {
      const operation = (item as Partial<Record<string, Operation>>)[method];
      if (operation === undefined) continue;
      const name = `${method.toUpperCase()} ${template}`;
      for (const [index] of Object.values(operation.requestBody?.content ?? {})
        .flatMap(examplesOf)
        .entries())
        if (!accepted.has(`${name} ${index}`))
          missing.add(`${name}: no test sent example ${index + 1} and had it accepted`);
      for (const [status, declared] of Object.entries(operation.responses)) {
        if (!status.startsWith('2')) continue;
        const response = declared.$ref === undefined ? declared : components.responses[lastStep(declared.$ref)];
        for (const [type, content] of Object.entries(response?.content ?? {})) {
          const at = `${name} ${status} ${type}`;
          const compared = received.get(at);
          if (testedElsewhere.has(at)) {
            if (compared !== undefined) missing.add(`${at}: a test received it, so it is no exception`);
          } else if (compared === undefined) missing.add(`${at}: no test received it`);
          else if (compared.size === 0 && examplesOf(content).length > 0) missing.add(`${at}: nothing was compared`);
        }
      }
    }
  }
  return [...missing].sort();
}
