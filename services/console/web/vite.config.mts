import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const outDir = path.resolve(import.meta.dirname, '../dist/web');

/** Once at the build, and not with every request. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  closeBundle() {
    for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(css|js|svg)$/.test(name)) continue;
      const file = path.join(outDir, name);
      const content = readFileSync(file);
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    }
  },
};

interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly deprecated?: boolean;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What the SDK calls each operation, for the requests that a page shows as code. */
const operationsIn = ({ paths }: Document): unknown =>
  Object.entries(paths).flatMap(([where, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, tags = [] }]) => {
      const tag = (tags[0] ?? '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      return operationId === undefined ? [] : [[method.toUpperCase(), where, tag, operationId]];
    }),
  );

/** The figures of turn_taking with their bounds, so that the editor shows every one of them. */
function turnTakingIn({ components: { schemas } }: Document): unknown {
  const { properties } = schemas['AgentTurnTaking'] ?? {};
  if (properties === undefined) throw new Error('docs/openapi.json has no fields of AgentTurnTaking');
  return Object.entries(properties).flatMap(([name, field]) => {
    const shared = field.$ref === undefined ? field : schemas[field.$ref.split('/').at(-1) ?? ''];
    const { minimum: min, maximum: max, deprecated } = shared ?? {};
    return min === undefined || max === undefined || deprecated ? [] : [{ name, min, max }];
  });
}

const modules: Readonly<Record<string, (document: Document) => unknown>> = {
  'virtual:operations': operationsIn,
  'virtual:turn-taking': turnTakingIn,
};

/** Parts of docs/openapi.json as modules. */
const contract: Plugin = {
  name: 'contract',
  resolveId: (id) => (id in modules ? `\0${id}` : undefined),
  load(id) {
    const part = id.startsWith('\0') ? modules[id.slice(1)] : undefined;
    if (part === undefined) return undefined;
    const document = readFileSync(path.resolve(import.meta.dirname, '../../../docs/openapi.json'), 'utf8');
    return `export default ${JSON.stringify(part(JSON.parse(document) as Document))}`;
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  cacheDir: path.resolve(import.meta.dirname, '../node_modules/.vite'),
  plugins: [react(), contract, compressed],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // The policy allows no inlined data beyond pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
  },
});
