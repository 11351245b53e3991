// node scripts/bootstrap.mjs <start|dev|test|build|lint|format|bench> [arguments]
//
// What every npm script of the root goes through: installs the pinned Node.js if the machine's is too old, installs,
// generates and builds what is not up to date, then runs scripts/<command>.mts. Plain JavaScript without dependencies,
// because it has to run before anything is installed, on any Node from 18. The npm scripts `exec` it: npm's signals then
// reach it, and not a shell between the two that would die and leave it behind.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isNewEnough, pinnedNode, reexecute } from './bootstrap/node-runtime.mjs';
import { prepare } from './bootstrap/prepare.mjs';
import { BootstrapError, root, stopWithParent } from './bootstrap/steps.mjs';

const commands = {
  start: 'scripts/start.mts',
  dev: 'scripts/dev.mts',
  test: 'scripts/test.mts',
  'test:browser': 'scripts/test-browser.mts',
  'test:clients': 'scripts/test-clients.mts',
  'images:test': 'scripts/images-test.mts',
  build: undefined,
  lint: 'scripts/lint.mts',
  check: 'scripts/check.mts',
  mutate: 'scripts/mutate.mts',
  format: 'node_modules/prettier/bin/prettier.cjs',
  bench: 'bench/run.mts',
  chaos: 'chaos/run.mts',
  asterisk: 'scripts/asterisk.mts',
  documents: 'scripts/documents.mts',
  package: 'scripts/package.mts',
  sbom: 'scripts/sbom.mts',
  replay: 'scripts/replay.mts',
  'providers:try': 'scripts/providers-try.mts',
  turns: 'scripts/turns.mts',
};
/** What shows the guide. */
const withGuide = new Set(['start', 'dev', 'build', 'test:browser']);
const leadingArguments = { format: ['--write', '--log-level', 'warn', '.'] };

async function main([command, ...args]) {
  if (!(command in commands))
    throw new BootstrapError(`usage: npm run <${Object.keys(commands).join('|')}> [-- arguments]`);
  stopWithParent();
  if (!isNewEnough(process.versions.node)) {
    process.exitCode = await reexecute(await pinnedNode(), [process.argv[1], command, ...args]);
    return;
  }
  await prepare(withGuide.has(command));
  if (commands[command] === undefined) return;
  const script = path.join(root, commands[command]);
  if (!existsSync(script)) throw new BootstrapError(`there is no ${commands[command]} yet`);
  process.argv = [process.execPath, script, ...(leadingArguments[command] ?? []), ...args];
  await import(script);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  console.error(error.message);
  process.exit(1);
}
