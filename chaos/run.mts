/**
 * npm run chaos [-- NAME]: starts a platform, causes the failures that chaos/NAME.mts describes, and prints what was lost, repeated or late. Without a name all
 * scenarios run, one after the other. Exits with 1 if a guarantee was violated. Options: --scale 0.1 for a tenth of everything (default 1); --only TEXT for the
 * failures whose names contain it, if a scenario has several.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Scenario, ScenarioOptions } from './scenario.mts';

const { values, positionals } = parseArgs({
  options: { scale: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
  allowPositionals: true,
});
const support = ['run', 'scenario'];
const names = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.mts'))
  .map((name) => path.basename(name, '.mts'))
  .filter((name) => !support.includes(name))
  .sort();
const scale = Number(values.scale);
if (!positionals.every((name) => names.includes(name)) || !(scale > 0 && scale <= 1)) {
  console.error(
    `usage: npm run chaos [-- NAME] [--scale N, above 0, at most 1] [--only TEXT]; names: ${names.join(', ')}`,
  );
  process.exit(2);
}

/** Runs one scenario and prints its tables. @returns the number of violated guarantees; a scenario that does not finish counts as one */
async function runOne(name: string, options: ScenarioOptions): Promise<number> {
  const { scenario } = (await import(path.join(import.meta.dirname, `${name}.mts`))) as { scenario: Scenario };
  console.log(`${name}: ${scenario.title}`);
  const begun = performance.now();
  const { tables, broken } = await scenario.run(options).catch((error: unknown) => {
    console.error(error);
    return { tables: [], broken: ['the scenario did not finish'] };
  });
  for (const { title, rows } of tables) {
    console.log(title);
    console.table(rows);
  }
  for (const promise of broken) console.error(`BROKEN: ${promise}`);
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(`${name}: ${broken.length === 0 ? 'every guarantee held' : `${broken.length} broken`} (${seconds} s)`);
  return broken.length;
}

let broken = 0;
for (const name of positionals.length === 0 ? names : positionals) {
  broken += await runOne(name, { scale, only: values.only, say: (line) => console.log(line) });
}
process.exit(broken === 0 ? 0 : 1);
