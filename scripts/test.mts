/**
 * npm test [lint] [unit] [integration] [e2e] [chaos] [jest arguments] Without a stage, all but chaos run, lint next to integration. Every stage runs even if an
 * earlier one has failed. Failures are listed again before the last line, which is `N passed, N failed`; a lint step counts as one. Nothing runs a second time.
 * `npm run test:full` has the same arguments. It runs chaos too, and the files named `*.full.*`, which take too long for every change: soak and scale, fuzz with
 * many seeds, and every documented example. A file that is named by an argument runs in any case. Servers are private to this run: a platform that
 * runs from the same checkout is not affected. With REFUSE_SKIPPED=1 a skipped test fails the run: continuous integration installs what optional tests need.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StartError } from './processes/program.mts';
import { Supervisor } from './processes/supervisor.mts';
import { startServers } from './servers.mts';
import { canReach, databaseUser } from './servers/database-user.mts';
import { differing, proofsIn, unproven, type Document } from './testing/documented-examples.mts';
import { run, runJest } from './testing/run-jest.mts';
import { runScriptTests } from './testing/run-script-tests.mts';
import { addCounts, failure, nothing, parseTestArguments, summary } from './testing/stages.mts';
import type { Counts, StageName } from './testing/stages.mts';

const root = path.resolve(import.meta.dirname, '..');
const plan = parseTestArguments(process.argv.slice(2));
const supervisors: Supervisor[] = [];

/** The environment for tests, without the addresses of servers, because these may contain real data. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _d, MIGRATIONS_DATABASE_URL: _m, NATS_URL: _n, REDIS_URL: _r, PORT: _p, ...rest } = process.env;
  const all = plan.full || plan.jestArguments.length > 0 ? { TEST_FULL: '1' } : {};
  // Other cases every day, and ten times as many.
  const fuzz = plan.full ? { FUZZ_RUNS: '50', FUZZ_SEED: String(Math.floor(Date.now() / 86_400_000)) } : {};
  return { ...all, ...fuzz, ...rest, NODE_ENV: 'test', PARLEY_STOP_WITH_PARENT: '1' };
}

async function lint(): Promise<Counts> {
  const ended = await run(process.execPath, [path.join(root, 'scripts/lint.mts')]);
  return { ...nothing, ...(ended === 0 ? { passed: 1 } : { failed: 1, failures: [failure('npm run lint')] }) };
}

async function unit(): Promise<Counts> {
  const ofPackages = await runJest('unit', plan.jestArguments, cleanEnvironment());
  return plan.jestArguments.length > 0 ? ofPackages : addCounts(ofPackages, await runScriptTests());
}

async function integration(): Promise<Counts> {
  const supervisor = new Supervisor({ onNotice: (text) => console.error(text) });
  supervisors.push(supervisor);
  const directory = await temporaryDirectory();
  supervisor.guard.scrap(directory);
  try {
    const { TEST_DATABASE_URL: databaseUrl, TEST_NATS_URL: natsUrl, TEST_REDIS_URL: redisUrl } = process.env;
    const servers = await startServers(supervisor, {
      directory,
      password: randomBytes(18).toString('base64url'),
      durable: false,
      given: { databaseUrl, natsUrl, redisUrl },
      say: (text) => console.error(text),
    });
    const env = {
      ...cleanEnvironment(),
      TEST_DATABASE_URL: servers.databaseUrl,
      TEST_NATS_URL: servers.natsUrl,
      TEST_NATS_URLS: JSON.stringify(servers.natsUrls ?? {}),
      TEST_REDIS_URL: servers.redisUrl,
    };
    if (plan.jestArguments.length > 0)
      return await runJest('integration', ['--maxWorkers=2', ...plan.jestArguments], env);
    // The tests mostly wait, so more files run at once than there are cores. Sound that is compared with the original needs a core of its own.
    const others = ['--testPathIgnorePatterns', comparedSound, '/node_modules/', '/dist/', ...withoutFull];
    return addCounts(
      await runJest('integration', ['--maxWorkers=6', ...others], env),
      await runJest('integration', [...oneByOne, '--testPathPatterns', comparedSound], env),
    );
  } finally {
    await supervisor.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const withoutFull = plan.full ? [] : ['\\.full\\.'];
const comparedSound = '/services/engine/test/(external-audio|line|spoken-calls)\\.int\\.test\\.ts$';

/** Files whose tests use `Platform.shared`: a whole run starts those platforms once. */
const onSharedPlatform = `/e2e/(${[
  'agent-rules',
  'agent-states',
  'erasure',
  'events',
  'knowledge',
  'main-job',
  'mcp-tasks',
  'own-organization',
  'recordings',
].join('|')})(\\.full)?\\.e2e\\.test\\.ts$`;
/** Files that measure sound or CPU. */
const realTime = `/e2e/(${[
  'external-modes',
  'lines',
  'live-control',
  'spoken-lines',
  'spoken-tools',
  'test-calls',
  'test-page',
].join('|')})\\.e2e\\.test\\.ts$`;

/** With one worker the tests run in Jest's own process, which would wait for a handle that a test file has left open. Separate workers are terminated in any case. */
const oneByOne = ['--maxWorkers=1', '--forceExit'];

async function wholeE2e(environment: NodeJS.ProcessEnv): Promise<Counts> {
  const shared = { ...environment, SHARED_PLATFORM: '1' };
  const others = ['--testPathIgnorePatterns', onSharedPlatform, realTime, '/node_modules/', '/dist/', ...withoutFull];
  const parts = [
    await runJest('e2e', ['--maxWorkers=3', '--testPathPatterns', onSharedPlatform], shared),
    await runJest('e2e', ['--maxWorkers=2', ...others], environment),
    await runJest('e2e', ['--maxWorkers=2', '--testPathPatterns', realTime], environment),
  ];
  return parts.reduce(addCounts);
}

/** What a whole run receives must not differ from the examples of the OpenAPI document. A full run must also have sent or received each of them. */
async function e2e(): Promise<Counts> {
  const given = process.env.DOCUMENTED_EXCHANGES;
  const folder = given ?? (await temporaryDirectory());
  try {
    const environment = { ...cleanEnvironment(), DOCUMENTED_EXCHANGES: folder };
    if (plan.jestArguments.length > 0)
      return await runJest('e2e', ['--maxWorkers=1', ...plan.jestArguments], environment);
    const counts = await wholeE2e(environment);
    const document = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')) as Document;
    const proofs = proofsIn(folder);
    const failures = (plan.full ? unproven(document, proofs) : differing(proofs)).map((text) =>
      failure(`example: ${text}`),
    );
    return addCounts(counts, { ...nothing, failed: failures.length, failures });
  } finally {
    if (given === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** One file after another, because killed and frozen processes delay everything else on the machine. */
const chaos = (): Promise<Counts> => runJest('chaos', ['--maxWorkers=1', ...plan.jestArguments], cleanEnvironment());

/** A folder that the database's user can access, outside the checkout, whose .parley may be used by a running platform. */
async function temporaryDirectory(): Promise<string> {
  const user = databaseUser();
  const parent = user && !canReach(user, tmpdir()) ? '/var/tmp' : tmpdir();
  const directory = mkdtempSync(path.join(parent, 'parley-test-'));
  await chmod(directory, 0o755);
  return directory;
}

const stages: Record<StageName, () => Promise<Counts>> = { lint, unit, integration, e2e, chaos };

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    const exit = (): never => process.exit(130);
    Promise.all(supervisors.map((supervisor) => supervisor.stop())).then(exit, exit);
  });
}

async function runStage(name: StageName): Promise<Counts> {
  const begin = performance.now();
  let counts: Counts;
  try {
    counts = await stages[name]();
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    counts = { ...nothing, failed: 1, failures: [failure(name, String(error))] };
  }
  console.error(`${name}: ${summary(counts)} in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return counts;
}

// Lint needs processors and integration tests mostly wait, so they run side by side.
const sideBySide: readonly StageName[] = plan.stages.includes('integration')
  ? plan.stages.filter((name) => name === 'lint')
  : [];
let total = nothing;
for (const name of plan.stages) {
  if (sideBySide.includes(name)) continue;
  const together = name === 'integration' ? [...sideBySide, name] : [name];
  for (const counts of await Promise.all(together.map(runStage))) total = addCounts(total, counts);
}
for (const text of total.failures) console.error(text);
const refused = process.env.REFUSE_SKIPPED === '1' && total.skipped > 0;
if (refused) console.error(`REFUSE_SKIPPED=1, and ${total.skipped} tests were skipped`);
console.log(summary(total));
process.exit(total.failed > 0 || total.passed === 0 || refused ? 1 : 0);
