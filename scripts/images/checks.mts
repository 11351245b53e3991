/** Checks the image itself, before anything runs in it. */
import assert from 'node:assert/strict';
import { serviceNames, servicesWithDatabase } from '../platform/services.mts';
import type { Containers } from './tools.mts';

/** Node has 121 MB, the inference library 45 MB, the offline voice 21 MB, the clients of OpenAI and Anthropic 25 MB. */
const mostBytes = 330_000_000;

interface Inspected {
  readonly Size: number;
  readonly Config: {
    readonly User?: string;
    readonly Cmd?: readonly string[];
    readonly Entrypoint?: readonly string[];
    readonly Env?: readonly string[];
    readonly Labels?: Readonly<Record<string, string>>;
  };
}

export function checkImage(containers: Containers, tag: string): string {
  const [image] = JSON.parse(containers.run('podman', ['image', 'inspect', tag])) as [Inspected];
  assert.ok(image.Size < mostBytes, `${image.Size} bytes are too many`);
  assert.equal(image.Config.User, '10001:10001');
  assert.equal(image.Config.Entrypoint, undefined);
  // The service must be the first process of its container: a shell or npm in between would not forward SIGTERM.
  assert.deepEqual(image.Config.Cmd, ['node', 'services/gateway/dist/main.js']);
  assert.ok(image.Config.Env?.includes('NODE_ENV=production'));
  for (const label of ['title', 'description', 'version', 'revision', 'licenses']) {
    assert.ok(image.Config.Labels?.[`org.opencontainers.image.${label}`], `no label ${label}`);
  }
  checkFiles(filesOf(containers, tag));
  checkCommandLine(containers, tag);
  return `${(image.Size / 1e6).toFixed(0)} MB`;
}

function checkFiles(files: ReadonlySet<string>): void {
  for (const service of serviceNames) assert.ok(files.has(`services/${service}/dist/main.js`), service);
  assert.ok(files.has('libs/outbox/sql/outbox.sql'), 'no files that the schemas include');
  for (const client of ['cli/dist/main.js', 'cli/dist/simulations/run.js', 'typescript/dist/index.js'])
    assert.ok(files.has(`clients/${client}`), client);
  for (const service of servicesWithDatabase) {
    assert.ok(files.has(`services/${service}/schema.sql`), `no schema of ${service}`);
  }
  assert.ok(
    [...files].some((file) => file.startsWith('services/gateway/assets/')),
    'no assets of the gateway',
  );
  const foreign = [...files].filter(
    (file) =>
      /^(?:libs|services)\/[^/]+\/dist\/.*\.test\.js$|\.d\.ts$|\.map$/.test(file) ||
      file.startsWith('libs/testing/') ||
      /^node_modules\/\.pnpm\/(?:typescript|jest|eslint|@swc\+core|playwright-core)@/.test(file),
  );
  assert.deepEqual(foreign.slice(0, 5), [], 'what only a build or a test wants');
  assert.ok(!files.has('/bin/sh'), 'a shell');
}

/** Checks that the command line runs in the image, with only the files that the image contains. */
function checkCommandLine(containers: Containers, tag: string): void {
  const run = (...args: string[]): string =>
    containers.run('podman', ['run', '--rm', '--network', 'host', tag, 'node', 'clients/cli/dist/main.js', ...args]);
  assert.match(run('--help'), /simulate/);
}

/** The paths of all files below /parley, and of a shell if there is one, as listed by the image's own node. */
function filesOf(containers: Containers, tag: string): ReadonlySet<string> {
  const script = `const fs = require('node:fs');
    const all = fs.readdirSync('/parley', { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const names = all.map((one) => (one.parentPath + '/' + one.name).slice('/parley/'.length));
    for (const shell of ['/bin/sh', '/usr/bin/sh']) if (fs.existsSync(shell)) names.push('/bin/sh');
    console.log(JSON.stringify(names));`;
  const said = containers.run('podman', ['run', '--rm', '--network', 'host', tag, 'node', '-e', script]);
  return new Set(JSON.parse(said) as string[]);
}
