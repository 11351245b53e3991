import { setTimeout as pause } from 'node:timers/promises';
import type { PrivateNats } from '@parley/testing';
import pg from 'pg';
import type { ScenarioReport } from '../scenario.mts';
import { instantNumber, request } from '../telephony.mts';
import { missing, query, within, type World } from '../webhooks/world.mts';
import { makePartition, OldEventFiller } from './old-events.mts';
import { createdOf } from './streams.mts';

const oldEvents = 1_000_000;
/** The number of days over which the events are spread; less than the retention of a stream. */
const days = 6;
const fillStep = 50_000;
const dayMs = 86_400_000;

/** Maximum time until the webhook of a new call arrives. */
const withinMs = 5_000;
const sampleEveryMs = 1_000;
const mostSamples = 60;
const backlogMs = 3_600_000;

/** Loses the NATS store, from which a million events were published. They are published again; calls that are placed meanwhile must not wait for them. */
export async function loseStore(
  world: World,
  nats: PrivateNats,
  agentId: string,
  scale: number,
): Promise<ScenarioReport> {
  const { say } = world;
  const count = Math.max(20_000, Math.round(oldEvents * scale));
  const first = await sample(world, agentId);
  say(`before the loss: ${first} ms`);
  await fill(world, nats, count);
  say(`${count} old events are there; the store is lost now`);
  await nats.kill();
  nats.deleteStore();
  await nats.start();
  const samples: { 'at s': number; 'webhook after ms': number; 'old events to publish again': number }[] = [];
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 1000;
  const left = (): Promise<number> => lostStill(world, nats);
  if (!(await within(60_000, async () => (await left().catch(() => 0)) > 0)))
    throw new Error('no event was seen to be lost');
  for (let before = await left(); before > 0 && samples.length < mostSamples; before = await left()) {
    const row = {
      'at s': Number(elapsed().toFixed(1)),
      'webhook after ms': await sample(world, agentId),
      'old events to publish again': before,
    };
    samples.push(row);
    say(JSON.stringify(row));
    await pause(sampleEveryMs);
  }
  say('waiting for the rest of the old events');
  const drained = await within(backlogMs, async () => (await left()) === 0);
  const seconds = elapsed();
  const lost = await missing(world, 60_000);
  const most = Math.max(...samples.map((row) => row['webhook after ms']));
  const broken = [
    ...(samples.length === 0 ? ['every old event was published again before the first sample'] : []),
    ...(most > withinMs ? [`a new call's webhook arrived after ${most} ms`] : []),
    ...(lost > 0 ? [`${lost} events of calls never arrived`] : []),
    ...(drained ? [] : ['old events were not published again within an hour']),
  ];
  const row = {
    'old events': count,
    samples: samples.length,
    'most ms': most,
    'published again after s': Math.round(seconds),
    lost,
  };
  return { tables: [{ title: 'the whole store was lost', rows: [row] }], broken };
}

/** Milliseconds from the request for a call to the arrival of its first webhook; Infinity if it does not arrive within a minute. */
async function sample(world: World, agentId: string): Promise<number> {
  const placed = Date.now();
  const { call_id: id } = await request(world.platform, 'POST', '/v1/calls', {
    agent_id: agentId,
    from: instantNumber,
    to: '+15005550004',
  });
  const text = `select event_id from telephony.call_events where call_id = $1 and type = 'call.created'`;
  const [event] = await query<{ event_id: string }>(world, text, [id]);
  const arrivedAt = (): number | undefined => world.receiver.arrived.get(event?.event_id ?? '');
  await within(60_000, () => arrivedAt() !== undefined);
  return (arrivedAt() ?? Infinity) - placed;
}

async function fill({ platform, say }: World, nats: PrivateNats, count: number): Promise<void> {
  const db = new pg.Client({ connectionString: platform.file.database_url });
  await db.connect();
  try {
    const filler = new OldEventFiller(db, await createdOf(nats.url, 'EVENTS'));
    const today = Math.floor(Date.now() / dayMs) * dayMs;
    const { organization_id: organizationId, project_id: projectId } = platform.development;
    let serial = 0;
    for (let day = days; day >= 1; day -= 1) {
      const [from, to] = [new Date(today - day * dayMs), new Date(today - (day - 1) * dayMs)];
      await makePartition(db, 'telephony.outbox', '', from, to);
      await makePartition(db, 'webhooks.events', 'evt', from, to);
      for (let left = Math.ceil(count / days); left > 0; left -= fillStep) {
        const part = Math.min(left, fillStep);
        await filler.fill({
          from,
          to,
          count: part,
          organizationId,
          projectId,
          type: 'sms.sent',
          serial,
          inOutbox: true,
        });
        serial += part;
      }
      say(`${serial} old events`);
    }
    await db.query('vacuum analyze telephony.outbox, webhooks.events');
  } finally {
    await db.end();
  }
}

/** The number of old events that are not in the new stream yet. */
async function lostStill(world: World, nats: PrivateNats): Promise<number> {
  const created = await createdOf(nats.url, 'EVENTS');
  const text = `select count(*)::int as n from telephony.outbox where stream = 'EVENTS' and published_at is not null and stream_created <> $1`;
  return (await query<{ n: number }>(world, text, [created]))[0]?.n ?? NaN;
}
