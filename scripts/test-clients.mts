/**
 * npm run test:clients: tests the command line, the code in the documentation, the SDK in other runtimes, and third-party MCP clients (the SDKs' clients, the
 * Inspector's command line, the conformance suite) against a separate platform. The last line is `N passed, N failed`. `--own` omits checks that need other
 * packages from npm; `--only <text>` runs only checks whose name contains the text.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cliChecks } from './clients/cli.mts';
import { cliConflictChecks } from './clients/cli-conflict.mts';
import { cliOperationChecks } from './clients/cli-operations.mts';
import { cliPartChecks } from './clients/cli-parts.mts';
import { cliSetupChecks } from './clients/cli-setup.mts';
import { cliSimulateChecks } from './clients/cli-simulate.mts';
import { cliTalkChecks } from './clients/cli-talk.mts';
import { conformanceChecks, conformancePackage } from './clients/conformance.mts';
import { inspectorChecks, inspectorPackage } from './clients/inspector.mts';
import { callPage } from './clients/call-page.mts';
import { keyProxy } from './clients/key-proxy.mts';
import { newUserChecks } from './clients/new-user.mts';
import { packageChecks } from './clients/package-checks.mts';
import { installPackages } from './clients/packages.mts';
import { runtimeChecks } from './clients/runtimes.mts';
import { sdkChecks } from './clients/sdk-clients.mts';
import { snippetChecks } from './clients/snippets.mts';
import { noSpeech } from './clients/speech.mts';
import type { Check, ClientWorld } from './clients/world.mts';
import { findBrowser } from './browser/find-browser.mts';
import { parseStartOptions } from './platform/options.mts';
import { Platform } from './platform/platform.mts';
import { stopOnSignal } from './platform/signals.mts';
import { StartError } from './processes/program.mts';
import { runChecks } from './testing/run-checks.mts';

const isOwn = process.argv.includes('--own');

// The platform of these tests has its own servers.
for (const name of ['DATABASE_URL', 'NATS_URL', 'REDIS_URL', 'PORT']) delete process.env[name];

const folder = mkdtempSync(path.join(tmpdir(), 'parley-clients-'));
chmodSync(folder, 0o755);
const packages = path.join(folder, 'packages');
mkdirSync(packages);
const proxy = await keyProxy();
// The conformance suite sends a browser's Origin, which is the address that it was given; the platform has to allow it.
process.env.MCP_ALLOWED_ORIGINS = proxy.origin;
const page = await callPage();
process.env.MEDIA_ORIGINS = page.origin;
// Test calls use speech if this machine supports it.
if (noSpeech === undefined) process.env.TEST_CALL_CONDUCTOR = 'offline';
const home = path.join(folder, 'home');
const platform = new Platform(parseStartOptions(['--home', home, '--port', '0', '--no-first-call', '--no-console']));
platform.supervisor.guard.scrap(folder);

async function stop(): Promise<void> {
  proxy.close();
  page.close();
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function runClientChecks(world: ClientWorld): Promise<number> {
  // With `--own`, only checks of code in this repository run.
  const own = [
    ...newUserChecks,
    ...[
      ...cliChecks,
      ...cliConflictChecks,
      ...cliOperationChecks,
      ...cliPartChecks,
      ...cliSetupChecks,
      ...cliSimulateChecks,
      ...cliTalkChecks,
    ],
    ...snippetChecks,
  ];
  const checks = isOwn
    ? own
    : [...own, ...packageChecks, ...runtimeChecks, ...sdkChecks, ...inspectorChecks, ...conformanceChecks];
  // With `--only <texts>`, only checks whose name contains one of the comma-separated texts run.
  const only = process.argv.includes('--only') ? process.argv.at(process.argv.indexOf('--only') + 1)?.split(',') : [''];
  const chosen = checks.filter(({ name }) => only?.some((text) => name.includes(text)));
  const missing = chosen.filter(({ needs }) => missingOf(needs).length > 0);
  for (const { name, needs } of missing) console.log(`SKIPPED ${name}: ${missingOf(needs).join('; ')}`);
  const skipped = missing.length;
  const runnable = chosen.filter((check) => !missing.includes(check));
  const failed = await runChecks(runnable.map(({ name, run }) => ({ name, run: () => run(world) })));
  const passed = chosen.length - failed - skipped;
  console.log(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
  return process.env.REFUSE_SKIPPED === '1' ? failed + skipped : failed;
}

function missingOf(needs: Check['needs'] = []): string[] {
  const reasons = {
    speech: noSpeech,
    browser: findBrowser() === undefined ? 'there is no chromium' : undefined,
    linux: process.platform === 'linux' ? undefined : 'the programs are those of Linux',
  };
  return needs.flatMap((one) => reasons[one] ?? []);
}

const signalled = stopOnSignal({ stop, kill: () => platform.supervisor.kill() }).then(() => process.exit(130));
try {
  const installed = isOwn ? Promise.resolve() : installPackages(packages, inspectorPackage, conformancePackage);
  // The result is awaited below. If the start fails first, it must not cause an unhandled rejection.
  installed.catch(() => undefined);
  const started = await platform.start();
  await installed;
  proxy.forward(started.base_url, started.admin_key);
  const failed = await runClientChecks({
    url: new URL('/mcp', started.base_url),
    proxiedUrl: `${proxy.origin}/mcp`,
    projectId: started.project_id,
    keys: started,
    environment: { SERVICE_API_KEY: started.admin_key },
    callPage: page,
    folder: packages,
  });
  await stop();
  process.exit(failed === 0 ? 0 : 1);
} catch (error) {
  if (platform.supervisor.isStopping) await signalled;
  console.error(error instanceof StartError ? error.message : error);
  await stop();
  process.exit(1);
}
