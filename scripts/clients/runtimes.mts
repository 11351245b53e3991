/** Tests the packaged SDK in other runtimes, each installed from npm with a pinned version for this run. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { Parley } from '../../clients/typescript/dist/index.js';
import { faultProxy } from './fault-proxy.mts';
import { installedClients } from './installed.mts';
import { installPackages } from './packages.mts';
import type { Check, ClientWorld } from './world.mts';

interface Runtime {
  readonly name: string;
  /** The package with the binary for one platform: Linux on `x64` or `arm64`. */
  readonly packageName: string;
  readonly binary: string;
  readonly arguments: readonly string[];
}

const isArm = process.arch === 'arm64';
const workerd = {
  name: 'workerd 1.20261117.1',
  packageName: `@cloudflare/workerd-linux-${isArm ? 'arm64' : '64'}@1.20261117.1`,
  binary: `@cloudflare/workerd-linux-${isArm ? 'arm64' : '64'}/bin/workerd`,
};
const runtimes: readonly Runtime[] = [
  {
    name: 'Node 20.20.2',
    packageName: `node-linux-${process.arch}@20.20.2`,
    binary: `node-linux-${process.arch}/bin/node`,
    arguments: ['run.mjs'],
  },
  {
    name: 'Bun 1.4.4',
    packageName: `@oven/bun-linux-${isArm ? 'aarch64' : 'x64-baseline'}@1.4.4`,
    binary: `@oven/bun-linux-${isArm ? 'aarch64' : 'x64-baseline'}/bin/bun`,
    arguments: ['run', 'run.mjs'],
  },
  {
    name: 'Deno 2.9.6',
    packageName: `@deno/linux-${process.arch}-glibc@2.9.6`,
    binary: `@deno/linux-${process.arch}-glibc/deno`,
    // The permissions that a program needs to use the SDK: network access, and here also the environment for its input.
    arguments: ['run', '--no-remote', '--allow-net', '--allow-env', 'run.mjs'],
  },
];

let numbers = 0;

async function folderOf(world: ClientWorld): Promise<string> {
  const folder = await installedClients(world.folder);
  for (const name of ['program.mjs', 'run.mjs', 'worker.mjs'])
    cpSync(path.join(import.meta.dirname, 'runtimes', name), path.join(folder, name));
  return folder;
}

async function binaryOf(world: ClientWorld, { packageName, binary }: Pick<Runtime, 'packageName' | 'binary'>) {
  const folder = path.join(world.folder, 'runtimes');
  mkdirSync(folder, { recursive: true });
  await installPackages(folder, packageName);
  return path.join(folder, 'node_modules', binary);
}

/** Gives the program a project and a webhook signed with another library, and checks the result. */
async function judge(world: ClientWorld, run: (input: string) => Promise<string>): Promise<void> {
  const { environment, url } = world;
  const parley = new Parley({ apiKey: environment.SERVICE_API_KEY, baseUrl: url.origin });
  const { organization } = await parley.me.getMe();
  assert.ok(organization);
  const of = { organization_id: organization.organization_id };
  const { project_id: projectId } = await parley.organizations.createProject({ path: of, body: { name: 'Runtime' } });
  numbers += 1;
  const phone = `+1500556${String(numbers).padStart(4, '0')}`;
  await parley.numbers.createNumber({
    body: { ...of, project_id: projectId, phone_number: phone, provider: 'simulator' },
  });
  const proxy = await faultProxy(url.origin);
  const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
  const body = JSON.stringify({ id: 'evt_1', type: 'call.completed', data: {} });
  const now = new Date();
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  };
  try {
    const given = { baseUrl: url.origin, faultyUrl: proxy.url, apiKey: environment.SERVICE_API_KEY, projectId };
    const done: unknown = JSON.parse(await run(JSON.stringify({ ...given, webhook: { body, headers, secret } })));
    assert.ok(Array.isArray(done) && done.length === 7, JSON.stringify(done));
    // Three creations, of which each was refused twice and repeated with the same idempotency key.
    const counts = [...new Set(proxy.keys)].map((key) => [typeof key, proxy.keys.filter((one) => one === key).length]);
    assert.deepEqual(counts, Array(3).fill(['string', 3]));
    const { data: agents } = await parley.agents.listAgents({ query: { project_id: projectId } });
    assert.deepEqual(agents.map(({ name }) => name).sort(), ['First!', 'Second', 'Third']);
  } finally {
    proxy.close();
  }
}

async function ended(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (stderr += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

const runIn = (runtime: Runtime) => async (world: ClientWorld) => {
  const [cwd, binary] = [await folderOf(world), await binaryOf(world, runtime)];
  await judge(world, async (input) => {
    const env = { HOME: world.folder, PROGRAM_INPUT: input, NO_COLOR: '1' };
    const child = spawn(binary, runtime.arguments, {
      ...{ cwd, env, timeout: 90_000 },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { code, stdout, stderr } = await ended(child);
    assert.equal(code, 0, stderr);
    return stdout;
  });
};

/** The configuration gives workerd every module by its import name, and allows connections to this machine, which workerd forbids by default. */
function configurationOf(folder: string): string {
  const at = 'node_modules/@parley/sdk/dist';
  const embedded = (name: string, file: string): string => `(name = "${name}", esModule = embed "${file}")`;
  const modules = [
    ...['worker.mjs', 'program.mjs'].map((file) => embedded(file, file)),
    // The entry module has the name of the package, so that its relative imports resolve to the modules next to it.
    ...globSync('**/*.js', { cwd: path.join(folder, at) }).map((file) =>
      embedded(file === 'index.js' ? '@parley/sdk' : `@parley/${file}`, `${at}/${file}`),
    ),
    '(name = "@parley/sdk/webhooks", esModule = "export * from \\"../webhooks.js\\";")',
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (compatibilityDate = "2026-10-01", modules = [${modules.join(',\n')}])),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
}

async function runInWorker(world: ClientWorld): Promise<void> {
  const [folder, binary] = [await folderOf(world), await binaryOf(world, workerd)];
  writeFileSync(path.join(folder, 'workerd.capnp'), configurationOf(folder));
  const child = spawn(binary, ['serve', '--control-fd=3', 'workerd.capnp'], {
    ...{ cwd: folder, env: {} },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const over = ended(child);
  try {
    const port = await Promise.race([
      // workerd prints one line when it listens: {"event":"listen","socket":"http","port":1234}
      once(child.stdio[3] ?? child, 'data').then(([line]) => (JSON.parse(String(line)) as { port: number }).port),
      over.then(({ stderr }) => Promise.reject(new Error(stderr))),
    ]);
    await judge(world, async (input) => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: input });
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
      return text;
    });
  } finally {
    child.kill();
    await over;
  }
}

export const runtimeChecks: readonly Check[] = [
  ...runtimes.map((runtime) => ({ name: `SDK in ${runtime.name}`, run: runIn(runtime) })),
  { name: `SDK in a worker of ${workerd.name}`, run: runInWorker },
].map((check) => ({ ...check, needs: ['linux' as const] }));
