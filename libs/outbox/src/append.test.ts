import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

it('nothing but this library says how a row of the outbox is made', () => {
  const writing = globSync('{libs,services}/*/src/**/*.ts', { cwd: root }).filter((file) =>
    /insert\s+into\s+outbox/i.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(writing.filter((file) => !file.endsWith('append.test.ts'))).toEqual(['libs/outbox/src/append.ts']);
});
