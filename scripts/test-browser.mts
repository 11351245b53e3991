/**
 * npm run test:browser: starts a platform and tests its API reference, guide and console in the headless Chromium installed on this machine. Without one,
 * it reports the tests as skipped and succeeds, or fails if REFUSE_SKIPPED=1. The last line is `N passed, N failed`; after a failure there are a screenshot
 * and a trace (`npx playwright-core show-trace`), except while figures are measured.
 * `-- --screenshots` replaces the pictures in docs/guide/console, `-- --baselines` replaces those that pages are compared with, and `-- --figures` only
 * measures the speed of the console. `-- --console --checks=<pattern>` runs only the console checks with matching names.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findBrowser } from './browser/find-browser.mts';
import { openBrowser, type WatchedPage } from './browser/open-browser.mts';
import { guideChecks } from './browser/guide-page.mts';
import { checks as referenceChecks } from './browser/reference-page.mts';
import { consoleChecks } from './browser/console/checks.mts';
import { setUpChecks } from './browser/console/set-up-checks.mts';
import { accountChecks } from './browser/console/account-checks.mts';
import { closingChecks } from './browser/console/closing-checks.mts';
import { figureChecks } from './browser/console/figure-checks.mts';
import { insightChecks } from './browser/console/insight-checks.mts';
import { watchAnswers, type Tour } from './browser/console/tour.mts';
import { visualChecks } from './browser/console/visual-checks.mts';
import { emptyOrganization } from './browser/console/world.mts';
import type { DevelopmentKeys } from './platform/accounts.mts';
import { parseStartOptions, root } from './platform/options.mts';
import { Platform } from './platform/platform.mts';
import { stopOnSignal } from './platform/signals.mts';
import { StartError } from './processes/program.mts';
import { runChecks, type NamedCheck } from './testing/run-checks.mts';

const executable = findBrowser();
if (executable === undefined) {
  console.log('SKIPPED: no chromium or google-chrome on this machine; install one, or name it in BROWSER_PATH');
  console.log('0 passed, 0 failed, 1 skipped');
  process.exit(process.env.REFUSE_SKIPPED === '1' ? 1 : 0);
}

const browserPath: string = executable;

// The platform of these tests starts its own servers, so it must not use those that the environment names.
for (const name of ['DATABASE_URL', 'NATS_URL', 'REDIS_URL', 'PORT']) delete process.env[name];

const folder = mkdtempSync(path.join(tmpdir(), 'parley-browser-'));
chmodSync(folder, 0o755);
const home = path.join(folder, 'home');
const platform = new Platform(parseStartOptions(['--home', home, '--port', '0', '--no-first-call']));
platform.supervisor.guard.scrap(folder);
const browsers: WatchedPage[] = [];
/** Screenshots and traces of the failures of this run. */
const shown = path.join(root, '.parley/test-browser');
rmSync(shown, { recursive: true, force: true });

async function stop(): Promise<void> {
  for (const browser of browsers) await browser.close();
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function watch(name: string): Promise<WatchedPage> {
  const browser = await openBrowser(browserPath, path.join(folder, name));
  browsers.push(browser);
  return browser;
}

async function consoleOf(keys: DevelopmentKeys): Promise<NamedCheck[]> {
  const watched = await watch('console');
  const { page } = watched;
  const isMeasured = process.argv.includes('--figures');
  const secrets: string[] = [];
  // It reads every response again, for which the page would have to be interrupted.
  if (!isMeasured) watchAnswers(page, secrets);
  page.setDefaultTimeout(15_000);
  await page.setViewportSize({ width: 1360, height: 900 });
  const url = platform.consoleUrl ?? '';
  const tour: Tour = { watched, page, url, platform, keys, organization: await emptyOrganization(keys), secrets };
  const checks = isMeasured
    ? figureChecks
    : [...consoleChecks, ...setUpChecks, ...accountChecks, ...insightChecks, ...visualChecks, ...closingChecks];
  const pattern = process.argv.find((one) => one.startsWith('--checks='))?.slice('--checks='.length);
  const wanted = new RegExp(pattern ?? '');
  return checks
    .filter(({ name }) => wanted.test(name))
    .map(({ name, run }) => ({
      name: `console: ${name}`,
      run: () => run(tour),
    }));
}

/** Runs checks. After a failure it prints what the page reported and takes a screenshot. */
async function runOnPage(list: readonly NamedCheck[], { page, errors }: WatchedPage): Promise<number> {
  const { tracing } = page.context();
  const isTraced = !process.argv.includes('--figures');
  if (isTraced) await tracing.start();
  const traced = ({ name, run }: NamedCheck): NamedCheck => ({
    name,
    run: async () => {
      await tracing.startChunk({ title: name });
      await run();
      await tracing.stopChunk();
    },
  });
  let failures = 0;
  const afterFailure = async (): Promise<void> => {
    for (const error of errors.slice(-3)) console.log(`        the page: ${error}`);
    failures += 1;
    const file = path.join(shown, `${browsers.length}-${failures}`);
    mkdirSync(shown, { recursive: true });
    console.log(`        what the browser did and shows is in ${file}.zip and .png`);
    if (isTraced) await tracing.stopChunk({ path: `${file}.zip` });
    await page.screenshot({ path: `${file}.png` });
  };
  return runChecks(isTraced ? list.map(traced) : list, { afterFailure });
}

const signalled = stopOnSignal({ stop, kill: () => platform.supervisor.kill() }).then(() => process.exit(130));
try {
  const keys = await platform.start();
  const last = (): WatchedPage => browsers.at(-1) as WatchedPage;
  const reference = await watch('reference');
  const ofReference = referenceChecks.map(({ name, run }) => ({
    name,
    run: () => run(reference, keys.base_url, keys),
  }));
  // `--reference`, `--guide`, `--console` and `--figures`: that alone.
  const only = ['--reference', '--guide', '--console', '--figures'].find((one) => process.argv.includes(one));
  const runs = (part: string): boolean => only === undefined || only === part;
  let count = 0;
  let failed = 0;
  const run = async (list: readonly NamedCheck[]): Promise<void> => {
    count += list.length;
    failed += await runOnPage(list, last());
  };
  if (runs('--reference')) await run(ofReference);
  if (runs('--guide')) {
    const guide = await watch('guide');
    guide.page.setDefaultTimeout(30_000);
    await run(guideChecks.map(({ name, run: check }) => ({ name, run: () => check(guide, keys.base_url, keys) })));
  }
  if (runs('--console') || runs('--figures')) await run(await consoleOf(keys));
  console.log(`${count - failed} passed, ${failed} failed`);
  await stop();
  process.exit(failed === 0 ? 0 : 1);
} catch (error) {
  if (platform.supervisor.isStopping) await signalled;
  console.error(error instanceof StartError ? error.message : error);
  await stop();
  process.exit(1);
}
