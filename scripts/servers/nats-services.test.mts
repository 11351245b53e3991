/** Tests that each service's NATS user can do what the service needs and nothing else: every user is tested with every family of subjects on a real server. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { root } from '../platform/options.mts';
import { serviceEnvironment, serviceNames } from '../platform/services.mts';
import { freePort } from '../processes/free-ports.mts';
import { requireBinaries } from './install.mts';
import { natsProgram, natsServer } from './nats.mts';
import { natsServices, type NatsService } from './nats-users.mts';

type Access = 'publish' | 'subscribe';

/** A subject of each family, and the users that may use it. All other users are refused. */
const families: readonly (readonly [access: Access, subject: string, users: readonly NatsService[]])[] = [
  ['publish', 'events.v1.org_1.call.created', ['telephony']],
  ['publish', 'audit.v1.org_1.auth', []],
  ['publish', 'audit.v1.org_1.agents', ['agents']],
  ['publish', 'audit.v1.org_1.knowledge', ['knowledge']],
  ['publish', 'audit.v1.org_1.telephony', ['telephony']],
  ['publish', 'audit.v1.org_1.webhooks', ['webhooks']],
  ['publish', 'audit.v1.org_1.insights', ['insights']],
  ['publish', 'audit.v1.org_1', []],
  ['publish', 'audit.v1.org_1.agents.more', []],
  ['publish', 'another.subject', []],
  ['subscribe', 'events.v1.*.call.queued', ['telephony']],
  ['subscribe', 'events.v1.>', []],
  ['subscribe', 'audit.v1.>', []],
  ['subscribe', '_INBOX.>', []],
  ['subscribe', '$JS.>', []],
  ['subscribe', '>', []],
  ...natsServices.flatMap((service) => [
    ['subscribe', `_INBOX.${service}.>`, [service]] as const,
    ['publish', `_INBOX.${service}.reply`, []] as const,
  ]),
  ...(['CREATE', 'UPDATE'] as const).flatMap((action) => [
    ['publish', `$JS.API.STREAM.${action}.EVENTS`, ['auth']] as const,
    ['publish', `$JS.API.STREAM.${action}.AUDIT`, ['auth']] as const,
    ['publish', `$JS.API.STREAM.${action}.OTHER`, []] as const,
  ]),
  ...['DELETE', 'PURGE', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE'].flatMap((action) => [
    ['publish', `$JS.API.STREAM.${action}.EVENTS`, []] as const,
    ['publish', `$JS.API.STREAM.${action}.AUDIT`, []] as const,
  ]),
  ['publish', '$JS.API.STREAM.INFO.EVENTS', ['auth', 'telephony', 'webhooks', 'insights']],
  ['publish', '$JS.API.STREAM.INFO.AUDIT', ['auth', 'agents', 'knowledge', 'telephony', 'webhooks', 'insights']],
  ['publish', '$JS.API.STREAM.MSG.GET.EVENTS', ['telephony', 'webhooks', 'insights']],
  ['publish', '$JS.API.STREAM.MSG.GET.AUDIT', ['auth', 'agents', 'knowledge', 'telephony', 'webhooks', 'insights']],
  ['publish', '$JS.API.CONSUMER.LIST.EVENTS', ['telephony']],
  ['publish', '$JS.API.CONSUMER.LIST.AUDIT', ['agents', 'knowledge', 'telephony', 'webhooks', 'insights']],
  ...['CREATE', 'INFO', 'DELETE', 'MSG.NEXT'].flatMap((action) => [
    ['publish', `$JS.API.CONSUMER.${action}.EVENTS.webhooks`, ['webhooks']] as const,
    ['publish', `$JS.API.CONSUMER.${action}.EVENTS.insights`, ['webhooks', 'insights']] as const,
    ['publish', `$JS.API.CONSUMER.${action}.AUDIT.auth-audit-log`, ['auth']] as const,
  ]),
  ['publish', '$JS.ACK.EVENTS.webhooks.1.1.1.1.0', ['webhooks']],
  ['publish', '$JS.ACK.EVENTS.insights.1.1.1.1.0', ['insights']],
  ['publish', '$JS.ACK.EVENTS.mine.1.1.1.1.0', []],
  ['publish', '$JS.ACK.AUDIT.auth-audit-log.1.1.1.1.0', ['auth']],
];

async function refused(connection: NatsConnection, access: Access, subject: string): Promise<boolean> {
  if (access === 'publish') {
    const seen = (async () => {
      for await (const { type, error } of connection.status() as AsyncIterable<{ type: string; error?: Error }>) {
        if (type === 'error' && error?.message.includes(`Publish to "${subject}"`) === true) return true;
      }
      return false;
    })();
    connection.publish(subject, '');
    return answered(connection, seen);
  }
  const subscription = connection.subscribe(subject, { callback: () => undefined });
  const answer = await answered(
    connection,
    subscription.closed.then((reason) => reason instanceof Error),
  );
  subscription.unsubscribe();
  return answer;
}

/** The server sends a refusal before it responds to the flush; the client needs a moment longer to process it. */
async function answered(connection: NatsConnection, refusal: Promise<boolean>): Promise<boolean> {
  await connection.flush();
  return Promise.race([refusal, new Promise<false>((resolve) => setImmediate(() => setImmediate(resolve, false)))]);
}

const directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-services-'));
const binary = requireBinaries(['nats-server'], () => undefined)['nats-server'];
const nats = natsProgram({ binary, directory, port: await freePort() });

const start = async () => {
  const server = spawn(nats.program.command, nats.program.args, { cwd: directory, stdio: 'ignore' });
  while ((await nats.program.ready()) !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  return async () => {
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
    rmSync(directory, { recursive: true });
  };
};

const as = (service: NatsService): Promise<NatsConnection> =>
  connect({ ...natsServer(nats.serviceUrls[service]), inboxPrefix: `_INBOX.${service}` });

await test('each NATS user can do only what its service does', async (context) => {
  context.after(await start());
  const administrator = await connect(natsServer(nats.url));
  context.after(() => administrator.close());
  const everything: JetStreamManager = await jetstreamManager(administrator);
  await everything.streams.add({ name: 'EVENTS', subjects: ['events.v1.>'] });
  await everything.streams.add({ name: 'AUDIT', subjects: ['audit.v1.>'] });

  await context.test('every user on every family of subjects', async () => {
    const wrong: string[] = [];
    for (const service of natsServices) {
      const connection = await as(service);
      for (const [access, subject, users] of families) {
        const expected = !users.includes(service);
        const is = await refused(connection, access, subject);
        if (is !== expected) wrong.push(`${service} ${access} ${subject}: ${is ? 'refused' : 'allowed'}`);
      }
      await connection.close();
    }
    assert.deepEqual(wrong, []);
  });

  await context.test('a reply that names the subject of another service brings no act there', async () => {
    await everything.streams.purge('AUDIT');
    const telephony = await as('telephony');
    const act = JSON.stringify({ action: 'agent.suspended' });
    telephony.publish('audit.v1.org_1.telephony', act, { reply: 'audit.v1.org_1.agents' });
    telephony.publish('$JS.API.STREAM.MSG.GET.AUDIT', '{"seq":1}', { reply: 'audit.v1.org_1.agents' });
    await telephony.flush();
    await administrator.flush();
    const { state } = await everything.streams.info('AUDIT', { subjects_filter: '>' });
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const message = await everything.streams.getMessage('AUDIT', { seq });
      if (message?.subject !== 'audit.v1.org_1.agents') continue;
      assert.equal('action' in message.json<object>(), false, 'what arrives is the server’s envelope');
    }
    await telephony.close();
  });

  await context.test('no one is let in without a user or with the password of another', async () => {
    const { servers, pass } = natsServer(nats.serviceUrls.agents);
    await assert.rejects(connect({ servers, reconnect: false }));
    await assert.rejects(connect({ servers, user: 'telephony', pass, reconnect: false }));
    await assert.rejects(connect({ servers, user: 'platform', pass, reconnect: false }));
  });

  await context.test('the configuration with the passwords is its owner’s alone', () => {
    assert.equal(statSync(path.join(directory, 'nats.conf')).mode & 0o777, 0o600);
    assert.ok(!nats.program.args.some((argument) => argument.includes(natsServer(nats.url).pass ?? '')));
  });
});

await test('every service that gets NATS_URL from `npm start` gets it with its own user', () => {
  const servers = {
    databaseUrl: 'postgres://a@b/c',
    natsUrl: nats.url,
    natsUrls: nats.serviceUrls,
    redisUrl: 'redis://r',
  };
  const secrets = {
    administrator_password: '',
    role_passwords: {},
    token_peppers: '',
    vault_keys: '',
    console_keys: '',
  };
  const options = {
    home: root,
    port: 1,
    replicas: 1,
    leaseSeconds: 15,
    fresh: false,
    firstCall: 'never',
    console: false,
  } as const;
  const reported = serviceNames.flatMap((service) => {
    const one = { service, replica: 0, name: service, grpcPort: 1, healthPort: 2 };
    const { NATS_URL: url } = serviceEnvironment(one, { options, servers, secrets, processes: [] });
    return url === undefined ? [] : [[service, new URL(url).username]];
  });
  assert.deepEqual(
    reported,
    [...natsServices].sort((a, b) => serviceNames.indexOf(a) - serviceNames.indexOf(b)).map((name) => [name, name]),
  );
});
