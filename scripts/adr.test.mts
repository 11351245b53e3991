import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const folder = path.resolve(import.meta.dirname, '../docs/adr');
const pages = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));

await describe('decisions (docs/adr)', async () => {
  await it('have each number once', () => {
    const numbers = pages.map((name) => name.slice(0, 4));
    assert.deepEqual(
      numbers.filter((number, index) => numbers.indexOf(number) !== index),
      [],
    );
  });

  for (const name of pages) {
    await it(`${name} has the format of docs/adr/README.md`, () => {
      const text = readFileSync(path.join(folder, name), 'utf8');
      const [, number, rest] = /^# (\d+)\. \S.*\n\n([\s\S]*)$/.exec(text) ?? [];
      assert.equal(Number(number), Number(name.slice(0, 4)));
      const status = /^\*\*Status:\*\* (.+)\n/.exec(rest ?? '')?.[1] ?? '';
      assert.match(status, /^accepted/);
      for (const [, later] of status.matchAll(/\]\(([^)]+)\)/g)) assert.ok(pages.includes(later ?? ''), later);
      const parts = ['**Context.**', '**Decision.**', '**Consequences.**'].map((part) => text.indexOf(`\n${part}`));
      assert.ok(!parts.includes(-1), 'a part is missing');
      assert.deepEqual(
        parts,
        parts.toSorted((a, b) => a - b),
      );
    });
  }
});
