import path from 'node:path';
import ts from 'typescript';
import type { Manifest } from './render.mts';

const root = path.resolve(import.meta.dirname, '../..');

/** The module that declares a kind's type, by apiVersion; CRDs included. */
const modules: Readonly<Record<string, string>> = {
  v1: 'kubernetes-models/v1',
  'apps/v1': 'kubernetes-models/apps/v1',
  'batch/v1': 'kubernetes-models/batch/v1',
  'autoscaling/v2': 'kubernetes-models/autoscaling/v2',
  'policy/v1': 'kubernetes-models/policy/v1',
  'networking.k8s.io/v1': 'kubernetes-models/networking.k8s.io/v1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  'cert-manager.io/v1': '@kubernetes-models/cert-manager/cert-manager.io/v1',
  'gateway.networking.k8s.io/v1': '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1',
  'keda.sh/v1alpha1': '@kubernetes-models/keda/keda.sh/v1alpha1',
};

/** Type-checks every manifest against its kind: the compiler rejects unknown and missing fields and values of a wrong type. @returns the compiler's errors */
export function typeErrors(manifests: readonly Manifest[]): string[] {
  const file = path.join(root, 'manifests.mts');
  const text = sourceOf(manifests);
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? text : readFile(name));
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, text, version) : getSourceFile(name, version, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
    if (diagnostic.file === undefined || diagnostic.start === undefined) return message;
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
    return `${message}\n  at ${text.split('\n')[line]?.trim() ?? ''}`;
  });
}

function sourceOf(manifests: readonly Manifest[]): string {
  const types = new Map<string, string>();
  const values = manifests.map((manifest, index) => {
    const from = modules[manifest.apiVersion];
    if (from === undefined) throw new Error(`no types are known for ${manifest.apiVersion} ${manifest.kind}`);
    types.set(manifest.kind, from);
    return `export const manifest${index}: I${manifest.kind} = ${JSON.stringify(manifest, null, 1)};`;
  });
  const imports = [...types].map(([kind, from]) => `import type { I${kind} } from '${from}';`);
  return [...imports, ...values].join('\n');
}
