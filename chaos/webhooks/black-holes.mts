import { setTimeout as pause } from 'node:timers/promises';
import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { natsServer } from '../../scripts/servers/nats.mts';
import type { ScenarioReport } from '../scenario.mts';
import { addEndpoint, query, within, type World } from './world.mts';

/** An organization can be allowed 10,000 endpoints; the rest of the scenario uses a few of them. */
const endpoints = 9_900;
const perSecond = 300;
const creators = 16;
const holesPerSecond = 30;
const patienceMs = 10 * 60_000;

/** Publishes events to one endpoint each: every endpoint has a separate project here. */
class Publisher {
  readonly sent = new Map<string, number>();
  /** Shared by all publishers: two events with the same millisecond and serial number would have the same id, and the stream would discard one of them. */
  private static serial = 0;
  private readonly js: JetStreamClient;
  private readonly organizationId: string;

  constructor(js: JetStreamClient, organizationId: string) {
    this.js = js;
    this.organizationId = organizationId;
  }

  async send(endpointId: string): Promise<void> {
    Publisher.serial += 1;
    const id = `evt_${Date.now().toString(32).padStart(12, '0')}${String(Publisher.serial).padStart(14, '0')}`;
    this.sent.set(id, Date.now());
    const event = {
      id,
      type: 'sms.sent',
      created_at: new Date().toISOString(),
      organization_id: this.organizationId,
      project_id: projectOf(endpointId),
      agent_id: null,
      resource_id: id.replace('evt', 'sms'),
      resource_seq: 1,
      data: { text: 'x'.repeat(900) },
    };
    await this.js.publish(`events.v1.${this.organizationId}.sms.sent`, JSON.stringify(event), { msgID: id });
  }
}

const projectOf = (endpointId: string): string => endpointId.replace('ep_', 'prj_');

async function create(world: World, count: number, place: string): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  const creator = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      ids.push(await addEndpoint(world, `${world.url}/${place}/${next}`, ['sms.sent']));
    }
  };
  await Promise.all(Array.from({ length: creators }, creator));
  await query(
    world,
    `update webhooks.endpoints set project_id = replace(id, 'ep_', 'prj_') where id = any($1::text[])`,
    [ids],
  );
  return ids;
}

/** Sends events to these endpoints in turn, at this rate per second. */
async function evenly(publisher: Publisher, ids: readonly string[], seconds: number, rate: number): Promise<void> {
  const begun = performance.now();
  const pending: Promise<void>[] = [];
  for (let n = 0; n < seconds * rate; n += 1) {
    const ahead = begun + (n * 1000) / rate - performance.now();
    if (ahead > 0) await pause(ahead);
    pending.push(publisher.send(ids[n % ids.length] ?? ''));
  }
  await Promise.all(pending);
}

/** Thousands of endpoints, of which a tenth accept requests and never respond. Measures the effect on the others. */
export async function blackHoles(world: World, scale: number, slots: number): Promise<ScenarioReport> {
  const { platform, receiver, say } = world;
  const total = Math.max(100, Math.round(endpoints * scale));
  const seconds = Math.max(10, Math.round(60 * scale));
  say(`creating ${total} endpoints`);
  const holes = await create(world, total / 10, 'hole');
  const healthy = await create(world, total - holes.length, 'healthy');
  const connection = await connect(natsServer(platform.file.nats_url));
  try {
    const js = jetstream(connection);
    const organizationId = platform.development.organization_id;
    const proof = new Publisher(js, organizationId);
    for (const id of healthy) await proof.send(id);
    const came = ({ sent }: Publisher): boolean => [...sent.keys()].every((id) => receiver.arrived.has(id));
    if (!(await within(patienceMs, () => came(proof)))) throw new Error('the healthy endpoints were not reached');
    say('every healthy endpoint is proven; now the black holes get theirs');
    const [lost, measured] = [new Publisher(js, organizationId), new Publisher(js, organizationId)];
    for (const id of holes) for (let n = 0; n < 3; n += 1) await lost.send(id);
    await Promise.all([evenly(lost, holes, seconds, holesPerSecond), evenly(measured, healthy, seconds, perSecond)]);
    await within(60_000, () => came(measured));
    const waits = [...measured.sent]
      .map(([id, at]) => (receiver.arrived.get(id) ?? Infinity) - at)
      .sort((a, b) => a - b);
    const at = (share: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? NaN;
    const row = {
      endpoints: total,
      'black holes': holes.length,
      'healthy events': waits.length,
      'p50 ms': at(0.5),
      'p99 ms': at(0.99),
      'most ms': at(1),
      'slots that holes held, most': receiver.mostOpen,
    };
    const missed = waits.filter((wait) => wait === Infinity).length;
    const broken = [
      ...(missed > 0 ? [`${missed} healthy events did not come within a minute`] : []),
      ...(receiver.mostOpen > slots / 4
        ? ['black holes held more than the slots of the unproven and the failing']
        : []),
      ...(receiver.mostOpen === 0 ? ['no black hole was ever tried'] : []),
    ];
    const title = `black holes among healthy endpoints, ${perSecond} healthy events a second`;
    return { tables: [{ title, rows: [row] }], broken };
  } finally {
    await connection.close();
  }
}
