import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { matrix } from './matrix.mts';
import { podOf } from './policies.mts';
import { notes, render, type Manifest } from './render.mts';

/**
 * Tests the notes that are printed after an installation: every name, key, port and command in them is compared with the manifests for the same values, and
 * warnings appear only if they apply.
 */
const warnings: Readonly<Record<string, readonly string[]>> = {
  minimal: [],
  production: [],
  'trying-out': ['services.engine.drainSeconds', 'networkPolicy.enabled'],
  everything: [],
  'other names': [],
  'ingress without tls': ['trustedProxies', 'ingress.tlsSecret'],
  'no migrations': [],
  'no tests': [],
  'accounts at providers': [],
  'receivers by name': ['webhooks.allowedCidrs'],
};

const named = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind);

interface MountedSecret {
  readonly secretName: string;
  readonly items?: readonly { readonly key: string }[];
}

const certificatesOf = (manifest: Manifest): MountedSecret[] =>
  (podOf(manifest)?.volumes ?? []).flatMap(({ secret }) => (secret === undefined ? [] : [secret as MountedSecret]));

/** The Secrets that containers read, each with the keys that they use. */
function secretsOf(manifests: readonly Manifest[]): Record<string, string[]> {
  const found: Record<string, Set<string>> = {};
  const made = new Set(named(manifests, 'Certificate').map(({ spec }) => spec?.['secretName']));
  for (const manifest of manifests) {
    const text = JSON.stringify(podOf(manifest) ?? {});
    for (const [, secret = '', key = ''] of text.matchAll(/"secretKeyRef":\{"name":"([^"]+)","key":"([^"]+)"\}/g)) {
      (found[secret] ??= new Set()).add(key);
    }
    for (const { secretName, items } of certificatesOf(manifest)) {
      if (made.has(secretName)) continue;
      if (items !== undefined) {
        for (const { key } of items) (found[secretName] ??= new Set()).add(key);
        continue;
      }
      found[secretName] = new Set([
        'tls.crt',
        'tls.key',
        ...(text.includes('/etc/parley/authorities') ? [] : ['ca.crt']),
      ]);
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, keys]) => [name, [...keys].sort()]));
}

/** The Ingress of the gateway, not the separate one of the media port. */
const gatewayIngress = (manifests: Parameters<typeof named>[0]) =>
  named(manifests, 'Ingress').find(({ metadata }) => !metadata.name.endsWith('-media'));

/** Parses the lines `<secret>: <key>, <key>` of the notes. */
function secretsNamed(text: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [, secret = '', keys = ''] of text.matchAll(/^ {5}([a-z0-9.-]+): ([a-z.-]+(?:, [a-z.-]+)*)$/gm)) {
    (found[secret] ??= []).push(...keys.split(', '));
  }
  return Object.fromEntries(Object.entries(found).map(([name, keys]) => [name, [...new Set(keys)].sort()]));
}

for (const [name, warned] of Object.entries(warnings)) {
  await test(`the notes name what the manifests have, and warn of missing settings, with ${name}`, async () => {
    const values = matrix[name] ?? {};
    const { manifests } = await render(values);
    const text = await notes(values);

    const read = secretsOf(manifests);
    const asked = secretsNamed(text);
    // Without the Job nothing in the release reads the administrator's URL, but a manual migration does.
    if (name === 'no migrations') read['parley-postgresql']?.unshift('administrator');
    assert.deepEqual(asked, Object.fromEntries(Object.entries(read).map(([secret, keys]) => [secret, keys.sort()])));

    const deployments = named(manifests, 'Deployment').map(({ metadata }) => metadata.name);
    const executed = [...text.matchAll(/kubectl -n (\S+) exec deploy\/(\S+) -- \\\n\s+node (\S+)/g)];
    assert.equal(executed.length, 2);
    for (const [, namespace, deployment = '', file] of executed) {
      assert.equal(namespace, 'voice');
      assert.ok(deployments.includes(deployment), deployment);
      const manifest = named(manifests, 'Deployment').find(({ metadata }) => metadata.name === deployment);
      const [container] = (manifest && podOf(manifest)?.containers) ?? [];
      assert.equal(container?.command?.[1], file);
    }
    const services = named(manifests, 'Service').map(({ metadata, spec }) => {
      const [{ port } = { port: 0 }] = spec?.['ports'] as { port: number }[];
      return `${metadata.name}:${port}`;
    });
    const inside = /http:\/\/([^.\s]+)\.voice\.svc\.cluster\.local:(\d+)/.exec(text);
    assert.ok(inside);
    assert.ok(services.includes(`${inside[1]}:${inside[2]}`), inside[0]);
    const forwarded = /port-forward svc\/(\S+) 8080:(\d+)/.exec(text);
    assert.equal(forwarded === null, gatewayIngress(manifests) !== undefined);
    if (forwarded !== null) assert.ok(services.includes(`${forwarded[1]}:${forwarded[2]}`), forwarded[0]);

    const ingress = gatewayIngress(manifests);
    const outside = /and outside it (https?:\S+)/.exec(text)?.[1];
    const spec = ingress?.spec as { rules: { host: string }[]; tls?: unknown } | undefined;
    const wanted = spec && `${spec.tls === undefined ? 'http' : 'https'}://${spec.rules[0]?.host}`;
    assert.equal(outside, wanted);

    const pods = named(manifests, 'Pod').filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'test');
    assert.equal(text.includes('helm test here --namespace voice'), pods.length > 0);

    assert.equal(text.includes('Run the migrations yourself'), named(manifests, 'Job').length === 0);
    assert.deepEqual(
      [...text.matchAll(/^WARNING: (\S+) is/gm)].map(([, value]) => value),
      warned,
    );
  });
}

await test('the notes mint keys by a command and kinds that auth knows', async () => {
  const auth = path.resolve(import.meta.dirname, '../../services/auth/src');
  const main = readFileSync(path.join(auth, 'main.ts'), 'utf8');
  const command = readFileSync(path.join(auth, 'mint-platform-key-command.ts'), 'utf8');
  const kinds = /kinds: readonly PlatformKind\[\] = \[([^\]]*)\]/.exec(command)?.[1] ?? '';
  const minted = [...(await notes({})).matchAll(/main\.js (\S+) --name \S+ --kind (\S+)/g)];
  assert.equal(minted.length, 2);
  for (const [, name, kind] of minted) {
    assert.ok(main.includes(`'${name}': `), name);
    assert.ok(kinds.includes(`'${kind}'`), kind);
  }
});
