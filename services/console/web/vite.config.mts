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

type Operation = { readonly operationId?: string; readonly tags?: readonly string[] };

/** What the SDK calls each operation, for the requests that a page shows as code. */
const operations: Plugin = {
  name: 'operations',
  resolveId: (id) => (id === 'virtual:operations' ? `\0${id}` : undefined),
  load(id) {
    if (id !== '\0virtual:operations') return undefined;
    const { paths } = JSON.parse(
      readFileSync(path.resolve(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
    ) as {
      paths: Record<string, Record<string, Operation>>;
    };
    const found = Object.entries(paths).flatMap(([where, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, tags = [] }]) => {
        const tag = (tags[0] ?? '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
        return operationId === undefined ? [] : [[method.toUpperCase(), where, tag, operationId]];
      }),
    );
    return `export default ${JSON.stringify(found)}`;
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  cacheDir: path.resolve(import.meta.dirname, '../node_modules/.vite'),
  plugins: [react(), operations, compressed],
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
