/** Loads sources of the engine and helpers of its tests like Jest does: they are CommonJS, and their imports have no file extension. */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';

registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || /\.(?:[cm]?[jt]s|json|node)$/.test(specifier)) return next(specifier, context);
    for (const file of [`${specifier}.ts`, `${specifier}/index.ts`]) {
      try {
        return next(file, context);
      } catch {
        // The next extension is tried; after the last one, Node reports the error itself.
      }
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!/services\/engine\/.*\.ts$/.test(url)) return next(url, context);
    const { code } = transformFileSync(fileURLToPath(url), { module: { type: 'commonjs' }, jsc: { target: 'es2023' } });
    return { format: 'commonjs', source: code, shortCircuit: true };
  },
});
