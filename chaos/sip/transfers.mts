/** A call that is transferred: caller and other party hear each other, and the call ends when either of them hangs up. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freeUdpPort } from '../../scripts/asterisk/ports.mts';
import { joined, silence, writeWav, type Sound } from '../../scripts/asterisk/trial/sound.mts';
import { request } from '../telephony.mts';
import { Telephone } from './baresip.mts';
import { power } from './tones.mts';
import { addNumber, callFrom, finished, prepareAgent, read, type CallRecord, type SipWorld } from './world.mts';

export const toneRate = 8_000;
export const [callersHertz, othersHertz] = [440, 620];
export const tone = (hertz: number, ms: number): Sound => ({
  rate: toneRate,
  samples: Int16Array.from({ length: (ms * toneRate) / 1_000 }, (_, n) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hertz * n) / toneRate)),
  ),
});

/** For how many seconds a tone is heard. */
export function secondsOf({ samples, rate: its }: Sound, hertz: number): number {
  const window = its / 10;
  let windows = 0;
  for (let at = 0; at + window <= samples.length; at += window)
    if (power(samples, at, window, hertz, its) > 1_000_000) windows += 1;
  return windows / 10;
}

/** Seconds until a tone is first heard. */
function secondsBefore({ samples, rate: its }: Sound, hertz: number): number {
  const window = its / 10;
  let windows = 0;
  for (let at = 0; at + window <= samples.length; at += window) {
    if (power(samples, at, window, hertz, its) > 1_000_000) break;
    if (samples.subarray(at, at + window).some((sample) => Math.abs(sample) > 1_000)) windows += 1;
  }
  return windows / 10;
}

const announcement = 'A caller for you, who asks about an order of last week.';
/** Minimum duration of an announcement by any voice. */
const leastAnnouncedSeconds = 1.5;

export async function transfers(world: SipWorld): Promise<{ rows: object[]; broken: string[] }> {
  const { number, calleePort: port } = world;
  const all = [
    await transferred(world, { kind: 'cold', by: 'operator', number, port, nth: 1 }),
    await transferred(world, { kind: 'warm', by: 'operator', number, port, nth: 3 }),
    await transferred(world, { kind: 'cold', by: 'workflow', ...(await workflowLine(world, 'cold', 7)), nth: 7 }),
    await transferred(world, { kind: 'warm', by: 'workflow', ...(await workflowLine(world, 'warm', 8)), nth: 8 }),
  ];
  return { rows: all.map(({ row }) => row), broken: all.flatMap(({ broken }) => broken) };
}

interface Order {
  readonly kind: 'cold' | 'warm';
  readonly by: 'operator' | 'workflow';
  /** The number that is called. */
  readonly number: string;
  /** The port on which the other party listens. */
  readonly port: number;
  readonly nth: number;
}

const to = (nth: number): string => `+1415555401${nth}`;

/** Creates a number whose agent transfers every call by a node of a workflow. */
async function workflowLine(
  { platform, modelsUrl }: SipWorld,
  kind: Order['kind'],
  nth: number,
): Promise<Pick<Order, 'number' | 'port'>> {
  const [agentId, port, number] = [await prepareAgent(platform, modelsUrl), await freeUdpPort(), `+1415555010${nth}`];
  const nodes = [
    { id: 'start', type: 'start' },
    { id: 'over', type: 'transfer', to: to(nth), kind, ...(kind === 'warm' && { announcement }) },
  ];
  // Without a greeting the workflow begins at once. After one it would wait for words of the caller, who has none.
  await request(platform, 'PATCH', `/v1/agents/${agentId}/voice-stack`, { first_message: null });
  const workflow = `/v1/agents/${agentId}/workflow`;
  await request(platform, 'POST', `${workflow}/draft`, { draft: { nodes, edges: [{ from: 'start', to: 'over' }] } });
  await request(platform, 'POST', `${workflow}/publish`, {});
  await addNumber(platform, { number, port, agentId });
  return { number, port };
}

async function transferred(
  world: SipWorld,
  { kind, by, number, port, nth }: Order,
): Promise<{ row: object; broken: string[] }> {
  const { platform, asterisk, supervisor } = world;
  const folder = path.join(world.folder, `transferred-${nth}`);
  mkdirSync(folder);
  const [user, callee] = [`+1415555400${nth}`, to(nth)];
  const [callersSound, othersSound] = [path.join(folder, 'caller.wav'), path.join(folder, 'other.wav')];
  writeWav(callersSound, joined(silence(toneRate, 8_000), tone(callersHertz, 40_000)));
  writeWav(othersSound, tone(othersHertz, 40_000));
  const shared = { guard: supervisor.guard, codec: 'g711', longestSeconds: 60 } as const;
  const other = await Telephone.start({
    ...{ ...shared, directory: path.join(folder, 'other'), user: callee, audio: othersSound },
    ...{ sipPort: port, answers: true },
  });
  // A workflow transfers as soon as the call is answered.
  await other.prints('baresip is ready', 10_000);
  const caller = await Telephone.start(
    { ...shared, directory: path.join(folder, 'transferred'), user, audio: callersSound },
    `sip:${number}@127.0.0.1:${asterisk.sipPort}`,
  );
  try {
    await caller.prints('Call established', 30_000);
    await sleep(2_500);
    const { call_id: callId } = await callFrom(platform, user);
    if (by === 'operator')
      await request(platform, 'POST', `/v1/calls/${callId}/transfer`, {
        ...{ to: callee, kind },
        ...(kind === 'warm' && { announcement }),
      });
    await other.prints('Call established', 20_000).catch(async (error: unknown) => {
      const { transfers } = await read<CallRecord>(platform, `/v1/calls/${callId}`);
      throw new Error(`the transfer is on record as ${JSON.stringify(transfers)}`, { cause: error });
    });
    await sleep(12_000);
    const record = await finished(platform, callId);
    // When one party hangs up, the call of the other one ends too, without the platform.
    other.hangUp();
    await caller.prints('terminated', 10_000);
    for (const one of [caller, other]) one.stop();
    await Promise.all([caller.ended, other.ended]);
    const heard = {
      'other party heard, s': secondsOf(other.heard(), callersHertz),
      'caller heard, s': secondsOf(caller.heard(), othersHertz),
    };
    const announced = secondsBefore(other.heard(), callersHertz);
    const outcomes = (record['transfers'] as { outcome: string }[]).map(({ outcome }) => outcome).join();
    const broken = [
      ...((kind === 'warm') === announced >= leastAnnouncedSeconds
        ? []
        : [`the other party heard ${announced} s before the caller`]),
      ...Object.entries(heard).flatMap(([what, s]) => (s >= 3 ? [] : [`${what}: ${s}`])),
      ...(record.ended_reason === 'transferred' && outcomes === 'connected'
        ? []
        : [`is on record as ${record.ended_reason}, ${outcomes}`]),
    ];
    return {
      row: { kind, by, 'announcement, s': announced, ...heard, ended_reason: record.ended_reason, transfers: outcomes },
      broken: broken.map((one) => `${kind}, by ${by}: ${one}`),
    };
  } finally {
    caller.stop();
    other.stop();
  }
}
