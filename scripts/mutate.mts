/**
 * npm run mutate [-- <folder or file> ...] [--mutants 60] [--seed 1] [--integration delivery,recovery] [--at-least 95]: a test of the tests. It changes the code of a folder in
 * small ways, one at a time in a temporary copy, and runs the tests of its package that load the changed file: first those of the file and its folder, then all unit
 * tests, then the integration tests whose paths contain one of the texts of --integration. It prints what no test noticed, and exits with 1 if fewer mutants than --at-least percent were killed
 * in a folder; those that the compiler refuses do not count. Without folders: those whose rules must hold most.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { randomBytes } from 'node:crypto';
import { Supervisor } from './processes/supervisor.mts';
import { startServers } from './servers.mts';
import { chosen, mutantsOf, mutated, rateOf, type Mutant } from './mutation/mutants.mts';
import { WorkspaceCopy } from './mutation/workspace-copy.mts';

const guarded = [
  'services/engine/src/core',
  'services/telephony/src/intake/admission',
  'services/telephony/src/books/queue',
  'services/telephony/src/books/wallet',
  'services/telephony/src/policy',
  'services/webhooks/src/deliveries',
  'services/auth/src/keys',
  'services/gateway/src',
  'libs/contract/src',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutants: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    integration: { type: 'string', default: '' },
    'at-least': { type: 'string', default: '0' },
  },
});
const texts = values.integration.split(',').filter((text) => text !== '');
const supervisor = new Supervisor({ onNotice: (text) => console.error(text) });

async function environment(): Promise<NodeJS.ProcessEnv> {
  const env = { ...process.env, NODE_ENV: 'test', PARLEY_STOP_WITH_PARENT: '1' };
  if (texts.length === 0) return env;
  const { TEST_DATABASE_URL: databaseUrl, TEST_NATS_URL: natsUrl, TEST_REDIS_URL: redisUrl } = process.env;
  const servers = await startServers(supervisor, {
    directory: `/var/tmp/parley-mutation-${process.pid}`,
    password: randomBytes(18).toString('base64url'),
    durable: false,
    given: { databaseUrl, natsUrl, redisUrl },
    say: (text) => console.error(text),
  });
  const urls = servers.natsUrls === undefined ? process.env.TEST_NATS_URLS : JSON.stringify(servers.natsUrls);
  return {
    ...{ ...env, TEST_DATABASE_URL: servers.databaseUrl, TEST_NATS_URL: servers.natsUrl },
    ...{ TEST_NATS_URLS: urls ?? '{}', TEST_REDIS_URL: servers.redisUrl },
  };
}

const copy = new WorkspaceCopy(await environment());
const isSource = (name: string): boolean =>
  /\.tsx?$/.test(name) && !/(\.(test|d)|metrics)\.ts$|\/(gen|test)\//.test(name);

async function integrationOf(file: string): Promise<string[]> {
  if (texts.length === 0) return [];
  const tests = await copy.testsOf(file, 'integration');
  return tests.filter((test) => texts.some((text) => copy.relative(test).includes(text)));
}

/** The tests of a file in the order in which they run. */
async function stagesOf(file: string) {
  const unit = await copy.testsOf(file, 'unit');
  const own = copy.at(file).replace(/\.ts$/, '.test.ts');
  const isNear = (test: string): boolean => path.dirname(test) === path.dirname(own);
  const stages = [
    { kind: 'unit', tests: unit.filter((test) => test === own) },
    { kind: 'unit', tests: unit.filter((test) => test !== own && isNear(test)) },
    { kind: 'unit', tests: unit.filter((test) => !isNear(test)) },
    { kind: 'integration', tests: await integrationOf(file) },
  ] as const;
  return stages.filter(({ tests }) => tests.length > 0);
}

/** Tests that pass without a mutant. */
const sound = new Set<string>();

async function expectSound(file: string, kind: 'unit' | 'integration', tests: readonly string[]): Promise<void> {
  const unknown = tests.filter((test) => !sound.has(test));
  if (!(await copy.passes(file, kind, unknown))) throw new Error(`tests of ${file} fail without a mutant`);
  for (const test of unknown) sound.add(test);
}

type Stages = Awaited<ReturnType<typeof stagesOf>>;

async function verdictOf(mutant: Mutant, source: string, stages: Stages): Promise<'killed' | 'survived' | 'invalid'> {
  copy.write(mutant.file, mutated(source, mutant));
  try {
    for (const { kind, tests } of stages) if (!(await copy.passes(mutant.file, kind, tests))) return 'killed';
    return copy.compiles(mutant.file) ? 'survived' : 'invalid';
  } finally {
    copy.write(mutant.file, source);
  }
}

async function rate(folder: string): Promise<number> {
  const files = copy.files.filter((name) => isSource(name) && (name === folder || name.startsWith(`${folder}/`)));
  if (files.length === 0) throw new Error(`${folder} has no sources`);
  const all = files.flatMap((file) => mutantsOf(file, copy.read(file)));
  const mutants = chosen(all, Number(values.mutants), Number(values.seed));
  const count = { killed: 0, survived: 0, invalid: 0 };
  const stages = new Map<string, Stages>();
  for (const mutant of mutants) {
    const { file } = mutant;
    const source = copy.read(file);
    const known = stages.get(file) ?? (await stagesOf(file));
    stages.set(file, known);
    for (const { kind, tests } of known) await expectSound(file, kind, tests);
    const verdict = await verdictOf(mutant, source, known);
    count[verdict] += 1;
    const was = source.slice(mutant.start, mutant.end).replace(/\s+/g, ' ').slice(0, 100);
    if (verdict === 'survived')
      console.log(`SURVIVED ${file}:${mutant.line} ${mutant.operator}: ${was} → ${mutant.text.slice(0, 100)}`);
  }
  const percent = rateOf(count.killed, count.survived);
  console.log(
    `${folder}: ${count.killed} killed, ${count.survived} survived, ${count.invalid} invalid of ${mutants.length} (of ${all.length}): ${percent.toFixed(1)} %`,
  );
  return percent;
}

process.once('exit', () => rmSync(copy.folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
let low = false;
try {
  for (const folder of positionals.length > 0 ? positionals : guarded)
    low = (await rate(folder.replace(/\/$/, ''))) < Number(values['at-least']) || low;
} finally {
  await supervisor.stop();
}
process.exit(low ? 1 : 0);
