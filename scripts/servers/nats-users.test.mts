import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { AckPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { freePort } from '../processes/free-ports.mts';
import { requireBinaries } from './install.mts';
import { natsProgram } from './nats.mts';

const event = 'events.v1.org_1.call.created';

await test('decisions 6: a subscriber of NATS reads events and does nothing else', async (context) => {
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

  const platform = await connect({ servers: url });
  const pass = readFileSync(path.join(directory, 'nats.subscriber'), 'utf8');
  const subscriber = await connect({ servers: url, user: 'subscriber', pass });
  open.push(platform, subscriber);
  const theirs = await jetstreamManager(platform);
  await theirs.streams.add({ name: 'EVENTS', subjects: ['events.v1.>'] });
  await theirs.streams.add({ name: 'AUDIT', subjects: ['audit.v1.>'] });
  await theirs.consumers.add('EVENTS', { durable_name: 'webhooks', ack_policy: AckPolicy.Explicit });
  await jetstream(platform).publish(event, '{"n":1}');

  const mine = await jetstreamManager(subscriber, { timeout: 1_000 });
  await mine.consumers.add('EVENTS', { durable_name: 'mine', ack_policy: AckPolicy.Explicit, filter_subject: event });
  const consumer = await jetstream(subscriber, { timeout: 1_000 }).consumers.get('EVENTS', 'mine');
  const message = await consumer.next({ expires: 5_000 });
  assert.deepEqual(message?.json(), { n: 1 });
  message?.ack();
  await subscriber.flush();

  const js = jetstream(subscriber, { timeout: 1_000 });
  const refused: Record<string, () => Promise<unknown>> = {
    'publishing an event': () => js.publish(event, '{}'),
    'publishing an audit act': () => js.publish('audit.v1.org_1', '{}'),
    'deleting the stream': () => mine.streams.delete('EVENTS'),
    'purging the stream': () => mine.streams.purge('EVENTS'),
    'deleting a message': () => mine.streams.deleteMessage('EVENTS', 1),
    'changing the stream': () => mine.streams.update('EVENTS', { max_msgs: 1 }),
    'another stream': () => mine.streams.add({ name: 'OTHER', subjects: ['other.>'] }),
    'reading audit acts': () => mine.consumers.add('AUDIT', { durable_name: 'mine', ack_policy: AckPolicy.Explicit }),
    "deleting the platform's consumer": () => mine.consumers.delete('EVENTS', 'webhooks'),
    "changing the platform's consumer": () =>
      mine.consumers.add('EVENTS', { durable_name: 'webhooks', ack_policy: AckPolicy.Explicit, max_deliver: 1 }),
    "taking the platform's messages": () =>
      subscriber.request('$JS.API.CONSUMER.MSG.NEXT.EVENTS.webhooks', '', { timeout: 1_000 }),
  };
  for (const [what, attempt] of Object.entries(refused)) await assert.rejects(attempt, Error, what);
  const { state } = await theirs.streams.info('EVENTS');
  assert.deepEqual([state.messages, state.last_seq], [1, 1]);
  const names = (await theirs.streams.names().next()).sort();
  assert.deepEqual(names, ['AUDIT', 'EVENTS']);
  const kept = await theirs.consumers.info('EVENTS', 'webhooks');
  assert.deepEqual([kept.num_pending, kept.config.max_deliver ?? -1], [1, -1]);
  await assert.rejects(connect({ servers: url, user: 'subscriber', pass: 'wrong', reconnect: false }));
});
