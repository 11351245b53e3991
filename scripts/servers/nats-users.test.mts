import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { freePort } from '../processes/free-ports.mts';
import { requireBinaries } from './install.mts';
import { natsProgram, natsServer } from './nats.mts';
import { accountsFile } from './nats-users.mts';

const event = 'events.v1.org_1.call.created';

await test('a subscriber of NATS reads events and does nothing else', async (context) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-users-'));
  const binaries = requireBinaries(['nats-server'], () => undefined);
  const { program, url } = natsProgram({ binary: binaries['nats-server'], directory, port: await freePort() });
  const server = spawn(program.command, program.args, { cwd: directory, stdio: 'ignore' });
  const open: NatsConnection[] = [];
  context.after(async () => {
    for (const connection of open) await connection.close();
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
    rmSync(directory, { recursive: true });
  });
  while ((await program.ready()) !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));

  const { servers } = natsServer(url);
  const platform = await connect(natsServer(url));
  const pass = readFileSync(path.join(directory, 'nats.subscriber'), 'utf8');
  const subscriber = await connect({ servers, user: 'subscriber', pass });
  open.push(platform, subscriber);
  const theirs = await jetstreamManager(platform);
  await theirs.streams.add({ name: 'EVENTS', subjects: ['events.v1.>'] });
  await theirs.streams.add({ name: 'AUDIT', subjects: ['audit.v1.>'] });
  await theirs.consumers.add('EVENTS', { durable_name: 'webhooks', ack_policy: AckPolicy.Explicit });
  await jetstream(platform).publish(event, '{"n":1}');

  await theirs.consumers.add('EVENTS', {
    durable_name: 'mine',
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    filter_subject: event,
  });

  const live = subscriber.subscribe('events.v1.>', { max: 1 });
  const apiPrefix = 'PARLEY.API';
  const js = jetstream(subscriber, { apiPrefix, timeout: 30_000 });
  const messages = await (await js.consumers.get('EVENTS', 'mine')).consume();
  const read: unknown[] = [];
  await jetstream(platform).publish(event, '{"n":2}', { msgID: 'evt_2' });
  for await (const message of messages) {
    read.push([message.subject, message.json(), message.headers?.get('Nats-Msg-Id')]);
    assert.equal(await message.ackAck(), true);
    if (read.length === 2) break;
  }
  assert.deepEqual(read, [
    [event, { n: 1 }, undefined],
    [event, { n: 2 }, 'evt_2'],
  ]);
  // A server drops a pull request without a listener when it next checks the consumer; the subscription to _INBOX.> below would be such a listener.
  await subscriber.flush();
  assert.equal((await theirs.consumers.info('EVENTS', 'mine')).num_ack_pending, 0);
  for await (const message of live) assert.deepEqual([message.subject, message.json()], [event, { n: 2 }]);

  // Refused requests get no response.
  const mine = await jetstreamManager(subscriber, { apiPrefix, timeout: 1_000, checkAPI: false });
  const raw = await jetstreamManager(subscriber, { timeout: 1_000, checkAPI: false });
  const consumer = { durable_name: 'another', ack_policy: AckPolicy.Explicit };
  const ask = (subject: string) => () => subscriber.request(subject, '', { timeout: 1_000 });
  const refused: Record<string, () => Promise<unknown>> = {
    'publishing an event': () => js.publish(event, '{}', { timeout: 1_000 }),
    'publishing an audit act': () => js.publish('audit.v1.org_1', '{}', { timeout: 1_000 }),
    'another stream': () => raw.streams.add({ name: 'OTHER', subjects: ['other.>'] }),
    'reading audit acts': ask('PARLEY.API.CONSUMER.MSG.NEXT.AUDIT.auth'),
    "taking the platform's messages": ask('PARLEY.API.CONSUMER.MSG.NEXT.EVENTS.webhooks'),
    "acknowledging the platform's messages": ask('$JS.ACK.EVENTS.webhooks.1.1.1.1.0'),
  };
  for (const [by, manager] of Object.entries({ 'the prefix': mine, 'the plain API': raw })) {
    Object.assign(refused, {
      [`deleting the stream by ${by}`]: () => manager.streams.delete('EVENTS'),
      [`purging the stream by ${by}`]: () => manager.streams.purge('EVENTS'),
      [`deleting a message by ${by}`]: () => manager.streams.deleteMessage('EVENTS', 1),
      [`changing the stream by ${by}`]: () => manager.streams.update('EVENTS', { max_msgs: 1 }),
      [`making a consumer by ${by}`]: () => manager.consumers.add('EVENTS', consumer),
      [`deleting a consumer by ${by}`]: () => manager.consumers.delete('EVENTS', 'webhooks'),
      [`audit acts by ${by}`]: () => manager.streams.info('AUDIT'),
    });
  }
  for (const [what, attempt] of Object.entries(refused)) await assert.rejects(attempt, Error, what);

  // A reply subject cannot be used to send a message out of the account, and responses to other users are not visible in it.
  const overheard: string[] = [];
  subscriber.subscribe('_INBOX.>', { callback: (_, message) => void overheard.push(message.subject) });
  subscriber.publish('PARLEY.API.CONSUMER.MSG.NEXT.EVENTS.mine', '', { reply: 'audit.v1.org_1' });
  subscriber.publish('PARLEY.API.STREAM.INFO.EVENTS', '', { reply: '$JS.API.STREAM.PURGE.EVENTS' });
  await subscriber.flush();
  await jetstream(platform).publish(event, '{"n":3}');
  await theirs.streams.info('EVENTS');
  await subscriber.flush();
  assert.deepEqual(overheard, []);
  assert.equal((await theirs.streams.info('AUDIT')).state.messages, 0);

  const { state } = await theirs.streams.info('EVENTS');
  assert.deepEqual([state.messages, state.last_seq], [3, 3]);
  const names = (await theirs.streams.names().next()).sort();
  assert.deepEqual(names, ['AUDIT', 'EVENTS']);
  const kept = await theirs.consumers.info('EVENTS', 'webhooks');
  assert.deepEqual([kept.num_pending, kept.config.max_deliver ?? -1], [3, -1]);
  await assert.rejects(connect({ servers, user: 'subscriber', pass: 'wrong', reconnect: false }));
});

await test("the chart's example has the same accounts", () => {
  const accounts = readFileSync(accountsFile, 'utf8').replaceAll(/^(?=.)/gm, '    ');
  const stack = readFileSync(path.join(path.dirname(accountsFile), 'stack.yaml'), 'utf8');
  assert.ok(stack.includes(accounts));
  const binary = requireBinaries(['nats-server'], () => undefined)['nats-server'];
  const users = ['ADMINISTRATOR', 'AUTH', 'AGENTS', 'TELEPHONY', 'WEBHOOKS', 'KNOWLEDGE', 'INSIGHTS', 'SUBSCRIBER'];
  const env = Object.fromEntries(users.map((user) => [`${user}_PASSWORD`, `trying-out-${user}`]));
  const { status, stderr } = spawnSync(binary, ['-t', '-c', accountsFile], { env, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});
