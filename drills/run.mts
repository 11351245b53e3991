/**
 * npm run drill -- NAME: breaks a platform of its own in the way that the file drills/NAME.mts describes, and prints what was
 * lost, repeated or late. Exits 1 where a promise was broken. Options: --scale 0.1 for a tenth of everything (1); --only TEXT
 * for the faults whose names hold it, where the drill has several.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Drill } from './drill.mts';

const { values, positionals } = parseArgs({
  options: { scale: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
  allowPositionals: true,
});
const support = ['run', 'drill'];
const names = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.mts'))
  .map((name) => path.basename(name, '.mts'))
  .filter((name) => !support.includes(name))
  .sort();
const [name] = positionals;
if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run drill -- NAME [--scale N] [--only TEXT]; there are: ${names.join(', ') || 'none yet'}`);
  process.exit(2);
}

const { drill } = (await import(path.join(import.meta.dirname, `${name}.mts`))) as { drill: Drill };
console.log(drill.title);
const { tables, broken } = await drill.run({
  scale: Number(values.scale),
  only: values.only,
  say: (line) => console.log(line),
});
for (const { title, rows } of tables) {
  console.log(title);
  console.table(rows);
}
for (const promise of broken) console.error(`BROKEN: ${promise}`);
console.log(broken.length === 0 ? `drill ${name}: every promise held` : `drill ${name}: ${broken.length} broken`);
process.exit(broken.length === 0 ? 0 : 1);
