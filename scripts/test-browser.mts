/**
 * npm run test:browser: opens the reference of a platform of its own in a headless Chromium of this machine. Where there is
 * none it says so and succeeds, or fails with REFUSE_SKIPPED=1. The last line is `N passed, N failed`; a failure leaves a screenshot.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findBrowser } from './browser/find-browser.mts';
import { openBrowser, type WatchedPage } from './browser/open-browser.mts';
import { checks } from './browser/reference-page.mts';
import { parseStartOptions, root } from './platform/options.mts';
import { Platform } from './platform/platform.mts';
import { stopOnSignal } from './platform/signals.mts';
import { StartError } from './processes/program.mts';

const executable = findBrowser();
if (executable === undefined) {
  console.log('SKIPPED: no chromium or google-chrome on this machine; install one, or name it in BROWSER_PATH');
  console.log('0 passed, 0 failed, 1 skipped');
  process.exit(process.env.REFUSE_SKIPPED === '1' ? 1 : 0);
}

// The tests' platform has servers of its own.
for (const name of ['DATABASE_URL', 'NATS_URL', 'REDIS_URL', 'PORT']) delete process.env[name];

const folder = mkdtempSync(path.join(tmpdir(), 'parley-browser-'));
chmodSync(folder, 0o755);
const home = path.join(folder, 'home');
const platform = new Platform(parseStartOptions(['--home', home, '--port', '0', '--no-first-call']));
platform.supervisor.guard.scrap(folder);
let browser: WatchedPage | undefined;

async function stop(): Promise<void> {
  await browser?.close();
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function runChecks(watched: WatchedPage, baseUrl: string): Promise<number> {
  let failed = 0;
  for (const { name, run } of checks) {
    try {
      await run(watched, baseUrl);
      console.log(`ok      ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  if (failed > 0) {
    const screenshot = path.join(root, '.parley', 'test-browser.png');
    mkdirSync(path.dirname(screenshot), { recursive: true });
    await watched.page.screenshot({ path: screenshot });
    console.log(`what the browser showed last is in ${screenshot}`);
  }
  console.log(`${checks.length - failed} passed, ${failed} failed`);
  return failed;
}

const signalled = stopOnSignal({ stop, kill: () => platform.supervisor.kill() }).then(() => process.exit(130));
try {
  const { base_url: baseUrl } = await platform.start();
  browser = await openBrowser(executable, path.join(folder, 'profile'));
  const failed = await runChecks(browser, baseUrl);
  await stop();
  process.exit(failed === 0 ? 0 : 1);
} catch (error) {
  if (platform.supervisor.isStopping) await signalled;
  console.error(error instanceof StartError ? error.message : error);
  await stop();
  process.exit(1);
}
