import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { podOf } from './policies.mts';
import { chart, helm, manifestsOf, type Manifest } from './render.mts';
import { typeErrors } from './typed.mts';

/** The commands for a local cluster in docs/operating.md, in order, as far as they can be checked without one. */
const root = path.resolve(chart, '../..');
const page = readFileSync(path.join(root, 'docs/operating.md'), 'utf8');
const section = page.split('## Local cluster (kind)\n')[1]?.split('\n## ')[0] ?? '';
const commands = [...section.matchAll(/```sh[^\n]*\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .flatMap((line) => line.split(' && '))
  .map((line) => line.trim().split(/\s+/));

const stack = manifestsOf(readFileSync(path.join(chart, 'examples/stack.yaml'), 'utf8'));
const flag = (args: readonly string[], ...names: readonly string[]): string | undefined =>
  args[args.findIndex((one) => names.includes(one)) + 1];

const [install] = commands.filter(([tool, verb]) => tool === 'helm' && verb === 'install');
assert.ok(install);
const [release = ''] = install.slice(2);
// The command as documented, with paths resolved from the root of the checkout.
const { ok, output } = await helm([
  'template',
  ...install.slice(2).map((one) => (existsSync(path.join(root, one)) ? path.join(root, one) : one)),
]);
assert.ok(ok, output);
const manifests = manifestsOf(output);

const kinds: Readonly<Record<string, string>> = {
  statefulset: 'StatefulSet',
  deployment: 'Deployment',
  deploy: 'Deployment',
  service: 'Service',
  svc: 'Service',
};
const find = (kind: string | undefined, name: string | undefined): Manifest | undefined =>
  [...stack, ...manifests].find(
    (manifest) => manifest.kind === (kinds[kind ?? ''] ?? kind) && manifest.metadata.name === name,
  );

await test('the walk-through has the commands that are looked at here, and no others', () => {
  assert.deepEqual(
    commands.map((command) => command.slice(0, command[0] === 'kubectl' ? 4 : 2).join(' ')),
    [
      'kind create',
      'docker build',
      'kind load',
      'kubectl create namespace voice',
      'kubectl -n voice apply',
      'sh charts/parley/examples/certificates.sh',
      'kubectl -n voice rollout',
      'kubectl -n voice rollout',
      'helm install',
      'kubectl -n voice create',
      'kubectl -n voice rollout',
      'helm test',
      'kubectl -n voice port-forward',
    ],
  );
});

await test('cluster, namespace and release are called the same throughout', () => {
  const of = (tool: string) => commands.filter(([name]) => name === tool);
  assert.equal(new Set(of('kind').map((args) => flag(args, '--name'))).size, 1);
  const namespaces = [...of('kubectl'), ...of('helm')].map((args) => flag(args, '-n', 'namespace'));
  assert.deepEqual([...new Set(namespaces)], ['voice']);
  assert.deepEqual([...new Set(of('helm').map(([, , name]) => name))], [release]);
});

await test('the files that it names exist', () => {
  const files = commands.flat().filter((word) => /^charts\//.test(word));
  assert.equal(files.length, 4);
  for (const file of files) assert.ok(existsSync(path.join(root, file)), file);
  assert.ok(existsSync(path.join(root, 'Dockerfile')));
});

await test('the image that is built and loaded is the one that the pods run', () => {
  const built = commands.find(([tool, verb]) => tool === 'docker' && verb === 'build') ?? [];
  const loaded = commands.find(([tool, verb]) => tool === 'kind' && verb === 'load') ?? [];
  const images = manifests.flatMap((manifest) => podOf(manifest)?.containers ?? []).map(({ image }) => image);
  assert.deepEqual([...new Set(images)], [flag(built, '-t')]);
  assert.equal(flag(loaded, 'docker-image'), flag(built, '-t'));
});

await test('the objects that are waited for and forwarded to exist', () => {
  const named = commands.flat().filter((word) => /^(statefulset|deployment|svc)\//.test(word));
  assert.equal(named.length, 4);
  for (const word of named) assert.ok(find(...(word.split('/') as [string, string])), word);
  const forward = commands.find((args) => args.includes('port-forward')) ?? [];
  const service = find('svc', forward.find((word) => word.startsWith('svc/'))?.slice(4));
  const port = Number(forward.at(-1)?.split(':')[1]);
  assert.ok((service?.spec?.['ports'] as { port: number }[]).some((one) => one.port === port));
});

await test('the Secrets that the pods read are in the stack, with their keys, or made by hand', () => {
  const made = commands.find((args) => args.includes('secret')) ?? [];
  const key = /--from-literal=([^=]+)=/.exec(made.join(' '))?.[1];
  const held = new Set([`${flag(made, 'generic')} ${key}`]);
  for (const secret of stack as readonly (Manifest & { stringData?: Record<string, string> })[]) {
    if (secret.kind !== 'Secret') continue;
    for (const name of Object.keys(secret.stringData ?? {})) held.add(`${secret.metadata.name} ${name}`);
  }
  const read = manifests.flatMap((manifest) => {
    const text = JSON.stringify(podOf(manifest) ?? {});
    const variables = text.matchAll(/"secretKeyRef":\{"name":"([^"]+)","key":"([^"]+)"\}/g);
    const files = text.matchAll(/"secretName":"([^"]+)","defaultMode":\d+,"items":\[\{"key":"([^"]+)"/g);
    return [...variables, ...files].map(([, name, one]) => `${name} ${one}`);
  });
  assert.ok(read.includes('parley-secrets vault-keys'));
  assert.ok(read.includes('parley-worker token'));
  assert.deepEqual(
    [...new Set(read)].filter((one) => !held.has(one)),
    [],
  );
});

await test('the addresses in the Secrets of the stack are its own Services', () => {
  const urls = JSON.stringify(stack.filter(({ kind }) => kind === 'Secret')).matchAll(
    /"(?:postgres|nats|redis):\/\/(?:[^@"]*@)?([a-z]+):(\d+)/g,
  );
  let seen = 0;
  for (const [address, name, port] of urls) {
    const service = find('svc', name);
    assert.ok(
      (service?.spec?.['ports'] as { port: number }[] | undefined)?.some((one) => one.port === Number(port)),
      address,
    );
    seen += 1;
  }
  assert.equal(seen, 15);
});

await test('NATS and Redis of the stack have the passwords of the URLs that the services get', () => {
  const secret = (name: string): Record<string, string> =>
    (find('Secret', name) as { stringData?: Record<string, string> } | undefined)?.stringData ?? {};
  const passwords = secret('nats-passwords');
  const users = Object.values(secret('parley-nats')).map((url) => new URL(url));
  assert.equal(users.length, 6);
  for (const { username, password } of users) assert.equal(passwords[`${username.toUpperCase()}_PASSWORD`], password);
  const { password } = new URL(secret('parley-redis')['url'] ?? '');
  assert.ok(password !== '' && secret('redis-configuration')['redis.conf']?.includes(`requirepass ${password}\n`));
});

await test('the stack has the fields of its kinds and no others', () => {
  assert.deepEqual(typeErrors(stack), []);
});

await test('objects of the release that other pages name exist', () => {
  const pages = ['docs/operating.md', 'docs/runbooks.md', 'charts/parley/README.md', 'README.md'];
  const text = pages.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  const named = [...text.matchAll(/(?<![/\w])(deploy|deployment|statefulset|svc|service)\/([a-z][a-z-]*[a-z])\b/g)];
  assert.ok(named.length >= 5);
  assert.deepEqual(
    named.filter(([, kind, name]) => find(kind, name) === undefined).map(([word]) => word),
    [],
  );
});

await test('skaffold is called with profiles that there are', () => {
  const skaffold = readFileSync(path.join(root, 'skaffold.yaml'), 'utf8');
  const profiles = [...section.matchAll(/`(?:skaffold dev )?-p (\w+)`/g)].map(([, name]) => name);
  assert.deepEqual(profiles, ['dev', 'debug']);
  for (const name of profiles) assert.ok(skaffold.includes(`  - name: ${name}\n`), name);
});
