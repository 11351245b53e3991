/**
 * npm run images:test: builds the Dockerfile without a Docker engine, checks the image, and runs the Job, the Deployments and the test of the chart with it
 * against real servers. podman runs the pods as the chart renders them (user, read-only root, no capabilities, seccomp, memory). Not part of npm test. Prints
 * `skipped` with the reason if buildah and podman cannot be installed; otherwise the last line is `N passed, N failed`.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { filesOf, keepCertificates } from '@parley/testing/kept-certificates';
import { render, type Manifest } from './chart/render.mts';
import { baseImage, buildImage } from './images/build.mts';
import { checkImage } from './images/checks.mts';
import { podOfJob, podOfTest, podsOf, type Pod, type SecretSource } from './images/pods.mts';
import { Containers, whyNot } from './images/tools.mts';
import { certificates, serviceNames, servicesWithDatabase } from './platform/services.mts';
import { natsServices } from './servers/nats-users.mts';
import { stopOnSignal } from './platform/signals.mts';
import { Supervisor } from './processes/supervisor.mts';
import { startServers, type ServerAddresses } from './servers.mts';

const root = path.resolve(import.meta.dirname, '..');
const tag = 'localhost/parley:images-test';
const readyMs = 120_000;

const reason = whyNot((text) => console.log(text));
if (reason !== undefined) {
  console.log(`skipped: ${reason}`);
  process.exit(0);
}

const folder = path.join(root, '.parley/images');
const containers = new Containers(folder);
const supervisor = new Supervisor();
const directory = mkdtempSync(path.join(tmpdir(), 'parley-images-'));
chmodSync(directory, 0o755);
supervisor.guard.scrap(directory);
let pods: readonly Pod[] = [];
let passed = 0;
let failed = 0;

async function check(name: string, work: () => Promise<string | void> | string | void): Promise<void> {
  const begin = performance.now();
  try {
    const detail = await work();
    passed += 1;
    console.log(`ok      ${name}${detail ? `: ${detail}` : ''} (${((performance.now() - begin) / 1000).toFixed(0)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error instanceof Error ? error.stack : String(error)}`);
    for (const { container } of pods) {
      const { code, output } = containers.try('podman', ['logs', '--tail', '2', container]);
      if (code === 0) console.log(output);
    }
  }
}

async function stop(): Promise<void> {
  containers.try('podman', ['pod', 'rm', '--force', '--all']);
  for (const name of ['postgresql', 'nats', 'redis', 'secrets', 'worker']) {
    containers.try('podman', ['secret', 'rm', `parley-${name}`]);
  }
  for (const service of serviceNames) containers.try('podman', ['secret', 'rm', `parley-tls-${service}`]);
  await supervisor.stop();
  rmSync(directory, { recursive: true, force: true });
}

const secrets = new Map<string, Readonly<Record<string, string>>>();

/** Creates a Secret in the format that podman reads: JSON with base64 values. */
function secret(name: string, values: Readonly<Record<string, string>>): void {
  secrets.set(name, values);
  const encoded: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) encoded[key] = Buffer.from(value).toString('base64');
  containers.try('podman', ['secret', 'rm', name]);
  containers.runWithText('podman', ['secret', 'create', name], JSON.stringify(encoded));
}

/** The user and the group of the image. */
const parley = 10_001;
let folders = 0;

/** Writes a Secret as the files that a pod mounts, with the owner and the mode that Kubernetes gives them. @returns the folder */
function folderOf({ secretName, items }: SecretSource): string {
  const values = secrets.get(secretName);
  assert.ok(values, `there is no Secret ${secretName}`);
  folders += 1;
  const mounted = path.join(directory, `secret-${folders}`);
  mkdirSync(mounted);
  for (const { key, path: file } of items ?? Object.keys(values).map((name) => ({ key: name, path: name }))) {
    const value = values[key];
    assert.ok(value !== undefined, `the Secret ${secretName} has no ${key}`);
    writeFileSync(path.join(mounted, file), value, { mode: 0o440 });
    chownSync(path.join(mounted, file), 0, parley);
  }
  return mounted;
}

/** The Secret with a service's certificate, as `npm start` creates certificates. */
function certificateOf(service: string): Record<string, string> {
  const { certificate, key, authorities } = filesOf(certificates, service);
  const read = (file: string): string => readFileSync(file, 'utf8');
  return { 'tls.crt': read(certificate), 'tls.key': read(key), 'ca.crt': read(authorities) };
}

function makeSecrets({ databaseUrl, natsUrl, natsUrls, redisUrl }: ServerAddresses): void {
  const key = () => randomBytes(32).toString('base64');
  const urls: Record<string, string> = { administrator: databaseUrl };
  for (const service of servicesWithDatabase) {
    const url = new URL(databaseUrl);
    url.username = `parley_${service.replace('-', '_')}`;
    url.password = randomBytes(18).toString('base64url');
    urls[service] = url.href;
  }
  secret('parley-postgresql', urls);
  secret('parley-nats', natsUrls ?? Object.fromEntries(natsServices.map((service) => [service, natsUrl])));
  secret('parley-redis', { url: redisUrl });
  for (const service of serviceNames) secret(`parley-tls-${service}`, certificateOf(service));
  secret('parley-secrets', { 'token-peppers': `1:${key()}`, 'vault-keys': `k1:${key()}` });
}

function play(yaml: string): void {
  containers.runWithText('podman', ['kube', 'play', '--network', 'host'], yaml);
}

function exitCode(container: string): number {
  return Number(containers.run('podman', ['wait', container]));
}

function migrate(manifests: readonly Manifest[]): void {
  const job = podOfJob(manifests);
  play(job.yaml);
  for (const container of job.containers) {
    assert.equal(exitCode(container), 0, containers.try('podman', ['logs', container]).output);
  }
}

/** Creates the engine's first key in the image, as an operator would with `kubectl exec`. */
function mintWorkerKey(auth: Pod): void {
  const said = containers.run('podman', [
    ...['exec', auth.container, 'node', 'services/auth/dist/main.js', 'mint-platform-key'],
    ...['--name', 'images', '--kind', 'hosted'],
  ]);
  const line = said.split('\n').find((text) => text.startsWith('{') && text.includes('"token"'));
  assert.ok(line, said);
  secret('parley-worker', { token: (JSON.parse(line) as { token: string }).token });
}

/** Waits until all of these pods are ready, with the requests that the kubelet would send. */
async function becomeReady(some: readonly Pod[]): Promise<void> {
  const deadline = Date.now() + readyMs;
  for (const { service, healthPort } of some) {
    for (const probe of ['livez', 'readyz']) {
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${healthPort}/${probe}`).catch((error: unknown) => String(error));
        if (typeof answer !== 'string' && answer.status === 200) break;
        const said = typeof answer === 'string' ? answer : await answer.text();
        assert.ok(Date.now() < deadline, `${service} /${probe}: ${said}`);
        await sleep(200);
      }
    }
  }
}

/** Checks that each container exits with 0 within its grace period after a signal, which is sent to the container's first process. */
function endByThemselves(): string {
  const times = pods.map(({ service, container, graceSeconds }) => {
    const begin = performance.now();
    // Sends SIGTERM, and SIGKILL after the grace period. After a plain signal the restart policy of the pod would start it again.
    containers.run('podman', ['stop', '--time', String(graceSeconds), container]);
    assert.equal(
      exitCode(container),
      0,
      `${service}: ${containers.try('podman', ['logs', '--tail', '20', container]).output}`,
    );
    const seconds = (performance.now() - begin) / 1000;
    assert.ok(seconds < graceSeconds, `${service} took ${seconds} s`);
    return `${service} ${seconds.toFixed(1)} s`;
  });
  return times.join(', ');
}

async function all(): Promise<void> {
  // Removes what a previous run has left behind if it was killed.
  containers.try('podman', ['pod', 'rm', '--force', '--all']);
  await check('the image builds', () => buildImage(containers, baseImage(containers, folder), tag));
  if (failed > 0) return;
  await check('size, user, command, labels and files', () => checkImage(containers, tag));
  const servers = await startServers(supervisor, {
    directory,
    password: randomBytes(18).toString('base64url'),
    durable: false,
    given: {},
    say: (text) => console.log(text),
  });
  await keepCertificates(certificates, serviceNames);
  makeSecrets(servers);
  const [repository, version] = tag.split(/:(?=[^:]*$)/);
  const { manifests } = await render({ image: { repository, tag: version }, defaults: { preStopSeconds: 0 } });
  pods = await podsOf(manifests, folderOf);
  const engine = pods.filter(({ service }) => service === 'engine');
  const others = pods.filter(({ service }) => service !== 'engine');
  const find = (name: string): Pod => {
    const found = pods.find(({ service }) => service === name);
    assert.ok(found, name);
    return found;
  };
  await check("the chart's Job migrates", () => migrate(manifests));
  await check('the Deployments become ready', async () => {
    for (const { yaml } of others) play(yaml);
    await becomeReady(others);
  });
  await check('the engine gets its key out of the image and becomes ready', async () => {
    mintWorkerKey(find('auth'));
    for (const { yaml } of engine) play(yaml);
    await becomeReady(engine);
  });
  await check("the chart's test passes", () => {
    const test = podOfTest(manifests, find('gateway').port);
    play(test.yaml);
    const code = exitCode(test.container);
    assert.equal(code, 0, containers.try('podman', ['logs', test.container]).output);
  });
  await check('SIGTERM ends each by itself, with code 0', endByThemselves);
}

const signalled = stopOnSignal({ stop, kill: () => supervisor.kill() }).then(() => process.exit(130));
try {
  await Promise.race([all(), signalled]);
} catch (error) {
  failed += 1;
  console.error(error);
} finally {
  await stop();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
