import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { privateNats, type PrivateNats } from '@parley/testing';
import { forgetHome, newHome, startPlatform } from '../bench/platform.mts';
import { loseStore } from './events/lost-store.mts';
import { lastSequence, streamNames, type Stream } from './events/streams.mts';
import { lostActs } from './freezing/findings.mts';
import type { Scenario, ScenarioOptions, ScenarioReport } from './scenario.mts';
import { instantNumber, prepare, request, settled } from './telephony.mts';
import { Receiver } from './webhooks/receiver.mts';
import { addEndpoint, callEvents, missing, query, within, type World } from './webhooks/world.mts';

const patienceMs = 120_000;
/**
 * Numbers of calls and configuration changes: those whose events the streams lose, and fewer later ones, made while NATS is unavailable. The later events get
 * sequence numbers of the lost ones.
 */
const lostCalls = 10;
const newCalls = 5;

type Loss = (world: World, nats: PrivateNats, agentId: string, scale: number) => Promise<ScenarioReport>;
const losses: Readonly<Record<string, Loss>> = { 'end of the streams': loseEnd, 'whole store': loseStore };

/** JetStream loses messages that it has acknowledged, first the end of its streams and then all of them, while calls continue. */
async function run({ scale, only, say }: ScenarioOptions): Promise<ScenarioReport> {
  const reports: ScenarioReport[] = [];
  for (const [name, lose] of Object.entries(losses)) {
    if (!name.includes(only)) continue;
    say(`loss of the ${name}`);
    const home = newHome();
    const receiver = new Receiver();
    const nats = await privateNats();
    const url = await receiver.start();
    try {
      const platform = await startPlatform(home, { NATS_URL: nats.url });
      try {
        const world: World = { platform, receiver, url, say };
        await addEndpoint(world, `${url}/calls`, callEvents);
        reports.push(await lose(world, nats, await prepare(platform), scale));
      } finally {
        await platform.stop();
      }
    } finally {
      await nats.close();
      receiver.stop();
      forgetHome(home);
    }
  }
  if (reports.length === 0) throw new Error(`there is no such loss: ${only}`);
  return { tables: reports.flatMap(({ tables }) => tables), broken: reports.flatMap(({ broken }) => broken) };
}

/** Places calls and makes as many configuration changes, and waits until the calls are over. */
async function work({ platform }: World, agentId: string, times: number): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let nth = 0; nth < times; nth += 1) {
    const { call_id: id } = await request(platform, 'POST', '/v1/calls', {
      agent_id: agentId,
      from: instantNumber,
      to: '+15005550006',
    });
    ids.add(id ?? '');
    await request(platform, 'PATCH', `/v1/agents/${agentId}`, { name: `chaos ${Date.now()}` });
  }
  return ids;
}

/** Restores an older copy of the streams' messages, so that the newest are lost. The state of their consumers on the server stays. */
async function loseEnd(world: World, nats: PrivateNats, agentId: string): Promise<ScenarioReport> {
  const everything = new Set(await work(world, agentId, 3));
  const arrived = async (): Promise<number> => {
    const db = await settled(world.platform, everything, Date.now() + patienceMs);
    await db.end();
    return (await missing(world, patienceMs)) + (await lostActs(world));
  };
  if ((await arrived()) > 0) throw new Error('events are missing before anything was lost');
  const older = Object.fromEntries(streamNames.map((name) => [name, `${nats.store}-${name}`]));
  const messages = (name: Stream): string => path.join(nats.store, 'jetstream', '$G', 'streams', name, 'msgs');
  const kept = await lastSequence(nats.url);
  await nats.kill();
  for (const name of streamNames) cpSync(messages(name), older[name] ?? '', { recursive: true });
  await nats.start();
  for (const id of await work(world, agentId, lostCalls)) everything.add(id);
  if ((await arrived()) > 0) throw new Error('events are missing before anything was lost');
  const reached = await lastSequence(nats.url);
  await nats.kill();
  for (const name of streamNames) {
    rmSync(messages(name), { recursive: true });
    cpSync(older[name] ?? '', messages(name), { recursive: true });
    rmSync(older[name] ?? '', { recursive: true });
  }
  for (const id of await work(world, agentId, newCalls)) everything.add(id);
  await overWithoutNats(world, everything);
  const begun = performance.now();
  await nats.start();
  const lost = await arrived();
  const rows = streamNames.map((name) => ({
    stream: name,
    'messages lost': reached[name] - kept[name],
    'events and acts missing': lost,
    'repeated deliveries': world.receiver.repeated,
    'recovered after s': Number(((performance.now() - begun) / 1000).toFixed(1)),
  }));
  const broken = [
    ...streamNames
      .filter((name) => reached[name] <= kept[name])
      .map((name) => `${name} lost nothing: nothing was shown`),
    ...(lost > 0 ? [`${lost} events or audit acts never arrived`] : []),
    ...(world.receiver.changed.size > 0 ? ['events were repeated with another body'] : []),
  ];
  return { tables: [{ title: 'the end of the streams was lost', rows }], broken };
}

/** Waits until calls are over while NATS is unavailable; only their events wait. */
async function overWithoutNats(world: World, ids: ReadonlySet<string>): Promise<void> {
  const over = await within(patienceMs, async () => {
    const rows = await query(
      world,
      `select from telephony.calls where call_id = any($1) and status not in ('completed', 'failed', 'canceled', 'policy_blocked') limit 1`,
      [[...ids]],
    );
    return rows.length === 0;
  });
  if (!over) throw new Error('calls did not end while NATS was unavailable');
}

export const scenario: Scenario = {
  title: 'JetStream loses the end of its streams, then its whole store, while calls go on',
  run,
};
