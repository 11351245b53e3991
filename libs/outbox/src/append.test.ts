import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

it('only libs/outbox/src/append.ts contains an INSERT into the outbox', () => {
  const writing = globSync('{libs,services}/*/src/**/*.ts', { cwd: root }).filter((file) =>
    /insert\s+into\s+outbox/i.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(writing.filter((file) => !file.endsWith('append.test.ts'))).toEqual(['libs/outbox/src/append.ts']);
});
