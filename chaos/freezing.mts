import { setTimeout as pause } from 'node:timers/promises';
import { forgetHome, newHome, startPlatform } from '../bench/platform.mts';
import { freeze } from './freezing/freeze.mts';
import { brokenBy, findingsOf } from './freezing/findings.mts';
import { startWriting, unreadable, type Accepted } from './freezing/writers.mts';
import type { Scenario, ScenarioOptions, ScenarioReport } from './scenario.mts';
import { instantNumber, prepare, realTimeNumber, request, settled } from './telephony.mts';
import { Receiver } from './webhooks/receiver.mts';
import { addEndpoint, callEvents, fileOf, isReady, query, within, type World } from './webhooks/world.mts';

interface Freeze {
  readonly service: string;
  /** True: freezes one process of the service. Default: all of them. */
  readonly single?: boolean;
  readonly seconds: number;
}

/** Every kind of process. Only one engine is frozen: after its leases have expired, the calls of a frozen engine end or are taken over by another one. */
const freezes: readonly Freeze[] = [
  { service: 'telephony', single: true, seconds: 20 },
  { service: 'telephony', seconds: 20 },
  ...['auth', 'gateway', 'nats', 'postgres', 'agents', 'voice-stack', 'webhooks', 'redis'].map((service) => ({
    service,
    seconds: 60,
  })),
  { service: 'engine', single: true, seconds: 60 },
];

const replicas = 2;
/** The number of calls in progress during a freeze. Their callee answers and stays silent, in real time. */
const callsAtOnce = 4;
const silentCallee = '+15005550007';
const leaseSeconds = 15;
const patienceMs = 120_000;

/** Freezes each kind of process in turn while calls are in progress and others are placed. Counts what was lost, done twice or interrupted. */
async function run({ scale, only, say }: ScenarioOptions): Promise<ScenarioReport> {
  const home = newHome();
  const receiver = new Receiver();
  const url = await receiver.start();
  const lease = Math.max(3, Math.round(leaseSeconds * scale));
  const platform = await startPlatform(home, { ENGINE_CAPACITY: '60' }, replicas, ['--lease-seconds', String(lease)]);
  try {
    const world: World = { platform, receiver, url, say };
    await addEndpoint(world, `${url}/calls`, callEvents);
    const agents = { writers: await prepare(platform), callsAtOnce: await patientAgent(world, scale) };
    const rows: object[] = [];
    const broken: string[] = [];
    const known = { calls: new Set<string>(), agents: new Set(Object.values(agents)), keys: new Set<string>() };
    for (const one of freezes.filter((candidate) => nameOf(candidate).includes(only))) {
      const seconds = Math.max(lease + 2, one.seconds * scale);
      const struck = await strike(world, agents, { ...one, seconds }, known);
      say(JSON.stringify(struck.row));
      rows.push(struck.row);
      broken.push(...struck.broken);
    }
    const lost = await unreadable(platform, known);
    if (lost > 0) broken.push(`${lost} accepted writes cannot be read in the end`);
    if (rows.length === 0) broken.push(`no process kind is named ${only}`);
    return { tables: [{ title: `frozen while calls are in progress, lease ${lease} s`, rows }], broken };
  } finally {
    await platform.stop();
    receiver.stop();
    forgetHome(home);
  }
}

const nameOf = ({ service, single }: Freeze): string => (single === true ? `${service}, one of ${replicas}` : service);

/** Creates an agent whose calls last longer than the freeze although the other party is silent. */
async function patientAgent({ platform }: World, scale: number): Promise<string> {
  const { organization_id, project_id } = platform.development;
  const agent = {
    organization_id,
    project_id,
    mode: 'hosted',
    name: 'patient',
    language: 'en',
    system_prompt: 'Wait.',
  };
  const { agent_id: id } = await request(platform, 'POST', '/v1/agents', agent);
  const seconds = Math.min(120, Math.round(40 + 60 * scale));
  await request(platform, 'PATCH', `/v1/agents/${id}/voice-stack`, {
    languages: ['en'],
    turn_taking: { no_caller_speech_seconds: seconds },
  });
  return id ?? '';
}

async function strike(
  world: World,
  agents: { writers: string; callsAtOnce: string },
  one: Freeze,
  known: Accepted,
): Promise<{ row: object; broken: string[] }> {
  const { platform, receiver, say } = world;
  const name = nameOf(one);
  const repeatedBefore = receiver.repeated;
  const inProgress = await runCalls(world, agents.callsAtOnce);
  const writing = startWriting(platform, agents.writers);
  await pause(1_000);
  const processes = fileOf(world).processes.filter((process) => process.name === one.service);
  const pids = processes.slice(0, one.single === true ? 1 : undefined).map(({ pid }) => pid);
  if (pids.length === 0) throw new Error(`there is no process ${one.service}`);
  say(`freezing ${name} (${pids.join(', ')}) for ${one.seconds} s`);
  const frozen = freeze(pids, one.seconds);
  // For the calls of a frozen engine only one guarantee holds: none is dialed twice.
  const excused = one.service === 'engine' ? await callsOf(world, pids) : new Set<string>();
  await frozen;
  const thawed = Date.now();
  await request(platform, 'POST', '/v1/calls', {
    agent_id: agents.writers,
    from: instantNumber,
    to: '+15005550001',
  }).then(({ call_id }) => writing.accepted.calls.add(call_id ?? ''));
  const recovery = (Date.now() - thawed) / 1000;
  const ready = await within(patienceMs, () => isReady(world));
  await writing.stop();
  const written = writing.accepted;
  for (const id of inProgress) written.calls.add(id);
  for (const kind of ['calls', 'agents', 'keys'] as const) for (const id of written[kind]) known[kind].add(id);
  const db = await settled(platform, known.calls, Date.now() + 2 * patienceMs);
  await db.end();
  const findings = await findingsOf(world, written, known, excused);
  const early = await endedOtherwise(
    world,
    [...inProgress].filter((id) => !excused.has(id)),
  );
  const row = {
    frozen: name,
    seconds: one.seconds,
    'in progress': inProgress.size,
    'of the frozen engine': [...inProgress].filter((id) => excused.has(id)).length,
    'ended early': early,
    calls: written.calls.size,
    agents: written.agents.size,
    keys: written.keys.size,
    ...findings,
    repeated: receiver.repeated - repeatedBefore,
    changed: receiver.changed.size,
    'first write s': Number(recovery.toFixed(1)),
  };
  const broken = brokenBy(name, findings, written.calls.size, receiver.changed.size);
  if (early > 0)
    broken.push(`${name}: ${early} of ${inProgress.size} calls in progress did not go on to their own end`);
  if (!ready) broken.push(`${name}: not ready two minutes after it was continued`);
  return { row, broken };
}

/** Places calls, and resolves when all of them were answered. */
async function runCalls(world: World, agentId: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let nth = 0; nth < callsAtOnce; nth += 1) {
    const { call_id: id } = await request(world.platform, 'POST', '/v1/calls', {
      agent_id: agentId,
      from: realTimeNumber,
      to: silentCallee,
    });
    ids.add(id ?? '');
  }
  const answered = await within(patienceMs, async () => {
    const rows = await query(
      world,
      `select from telephony.call_events where call_id = any($1) and type = 'call.answered'`,
      [[...ids]],
    );
    return rows.length === ids.size;
  });
  if (!answered) throw new Error('the calls that were to be in progress were not answered');
  return ids;
}

/** Returns the calls of the engines with these process ids, which are part of the workers' names. */
async function callsOf(world: World, pids: readonly number[]): Promise<Set<string>> {
  const rows = await query<{ call_id: string }>(
    world,
    `select call_id from telephony.jobs where worker_id like any($1)`,
    [pids.map((pid) => `%-${pid}-%`)],
  );
  return new Set(rows.map(({ call_id }) => call_id));
}

/** Returns how many calls with a silent callee ended for any other reason than expected. */
async function endedOtherwise(world: World, ids: readonly string[]): Promise<number> {
  const rows = await query<{ call_id: string; ended_reason: string | null }>(
    world,
    `select call_id, ended_reason from telephony.calls
     where call_id = any($1) and ended_reason is distinct from 'no_caller_speech_after_answer'`,
    [ids],
  );
  for (const { call_id, ended_reason } of rows) world.say(`${call_id} ended: ${ended_reason}`);
  return rows.length;
}

export const scenario: Scenario = {
  title: 'each kind of process is frozen in turn while calls are in progress and others are placed',
  run,
};
