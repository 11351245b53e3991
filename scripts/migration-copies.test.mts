/** Tests that functions which migrations copied from the SQL of a library are the same in every service. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const root = path.resolve(import.meta.dirname, '..');

/** The text of each function by its name, without comments; a later definition replaces an earlier one. */
function functionsOf(files: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of files) {
    const sql = readFileSync(path.join(root, file), 'utf8').replace(/^\s*--.*\n/gm, '');
    for (const [text, name = ''] of sql.matchAll(/^create (?:or replace )?function (\w+)[^]*?\$\$;$/gm)) {
      found.set(name, text.replace(' or replace', ''));
    }
  }
  return found;
}

const libraries = functionsOf(globSync('libs/*/sql/*.sql', { cwd: root }));

const services = Map.groupBy(
  globSync('services/*/migrations/*.sql', { cwd: root }).sort(),
  (file) => file.split(path.sep)[1] ?? '',
);

await describe('functions that migrations copied from libraries', async () => {
  await it('are found', () => {
    assert.deepEqual([...libraries.keys()].sort(), [
      'oldest_snapshot',
      'record_stream_position',
      'ring_drop',
      'ring_extend',
      'ring_id_at',
      'ring_parts',
      'ring_time_of',
    ]);
  });

  for (const [service, files] of services) {
    const own = functionsOf(files);
    for (const name of libraries.keys()) {
      if (!own.has(name)) continue;
      await it(`${service}: ${name} is the text of the library`, () => {
        assert.equal(own.get(name), libraries.get(name));
      });
    }
  }
});
