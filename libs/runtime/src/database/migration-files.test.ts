import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newestMigration, readMigrations } from './migration-files';

describe('migration files', () => {
  const folders: string[] = [];
  const folderOf = (files: Record<string, string>): string => {
    const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    folders.push(folder);
    for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql);
    return folder;
  };
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

  it('are sorted by number, and other files are ignored', () => {
    const files = readMigrations(
      folderOf({ '0002-more.sql': '-- no transaction\nx', '0001-first.sql': 'y', 'README.md': '' }),
    );
    expect(files.map(({ version, name, transactional }) => [version, name, transactional])).toEqual([
      [1, '0001-first.sql', true],
      [2, '0002-more.sql', false],
    ]);
  });

  it('may skip numbers; the newest is the highest', () => {
    const folder = folderOf({ '0001-a.sql': '', '0003-b.sql': '' });
    expect(readMigrations(folder).map(({ version }) => version)).toEqual([1, 3]);
    expect(newestMigration(folder)).toBe(3);
  });

  it.each([
    ['a duplicate number', ['0001-a.sql', '0001-b.sql']],
    ['the number 0', ['0000-a.sql']],
    ['a name in another format', ['0001_a.sql']],
    ['upper case', ['0001-A.sql']],
  ])('throws for %s', (_case, names) => {
    expect(() => readMigrations(folderOf(Object.fromEntries(names.map((name) => [name, '']))))).toThrow();
  });
});
