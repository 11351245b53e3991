/** Loads the engine's sources and helpers of its tests as Jest does: they name their imports without an extension, and are CommonJS. */
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
        // The next one, or what it says itself.
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
