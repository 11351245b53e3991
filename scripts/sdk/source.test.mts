/** Tests of the sources of the SDK that are not generated from docs/openapi.json. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../platform/options.mts';

const read = (file: string): string => readFileSync(file, 'utf8');

await test('at most 440 lines of the SDK are written by hand, without blank lines and comments', () => {
  const source = path.join(root, 'clients/typescript/src');
  const lines = globSync('*.ts', { cwd: source }).flatMap((name) => read(path.join(source, name)).split('\n'));
  const code = lines.filter((line) => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line));
  assert.ok(code.length <= 440, `${code.length} lines`);
});
