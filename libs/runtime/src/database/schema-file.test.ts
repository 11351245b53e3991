import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSchema } from './schema-file';

describe('readSchema', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'schema-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (text: string) => {
    writeFileSync(path.join(folder, 'schema.sql'), text);
    return readSchema(path.join(folder, 'schema.sql'));
  };

  it('includes files by paths that are relative to the file that names them', () => {
    mkdirSync(path.join(folder, 'sql'));
    writeFileSync(path.join(folder, 'sql', 'outer.sql'), 'b;\n\\ir inner.sql');
    writeFileSync(path.join(folder, 'sql', 'inner.sql'), 'c;');
    expect(read('a;\n\\ir sql/outer.sql\nd;').sql).toBe('a;\nb;\nc;\nd;');
  });

  it.each([
    ['a comment', 'create table a (\n  -- more\n  id int -- an id\n);', true],
    ['an empty line', 'create table a (\n  id int\n);\n\n', true],
    ['a type', 'create table a (\n  id bigint\n);', false],
  ])('a change of %s', (_what, text, same) => {
    expect(read(text).hash === read('create table a (\n  id int\n);').hash).toBe(same);
  });
});
