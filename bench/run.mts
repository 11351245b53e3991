/**
 * npm run bench: costs as ratios to floors (minimal implementations) that are measured in the same minutes on the same machine. Each file of bench/rows is one
 * topic. Options: --only TOPIC[,TOPIC] (default all), --pairs N (5), --seconds N (4).
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchRow } from './row.mts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    pairs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
  },
});
const folder = path.join(import.meta.dirname, 'rows');
const topics = readdirSync(folder)
  .filter((name) => name.endsWith('.mts'))
  .map((name) => path.basename(name, '.mts'))
  .sort();
const chosen = values.only?.split(',') ?? topics;
const unknown = chosen.filter((topic) => !topics.includes(topic));
if (unknown.length > 0) {
  console.error(`no topic ${unknown.join(', ')}; there are ${topics.join(', ')}`);
  process.exit(2);
}

for (const topic of chosen) {
  const { bench } = (await import(path.join(folder, `${topic}.mts`))) as { bench: BenchRow };
  for (const { title, rows } of await bench.run({ pairs: Number(values.pairs), seconds: Number(values.seconds) })) {
    console.log(`${topic}: ${title}`);
    console.table(rows);
  }
}
