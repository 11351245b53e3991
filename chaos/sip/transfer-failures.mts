/** Transfers while a process involved in them is killed or frozen. The other party must be rung exactly once and connected nevertheless. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { joined, silence, writeWav } from '../../scripts/asterisk/trial/sound.mts';
import { freeze } from '../freezing/freeze.mts';
import { request } from '../telephony.mts';
import { Telephone } from './baresip.mts';
import { callersHertz, othersHertz, secondsOf, tone, toneRate } from './transfers.mts';
import { callFrom, finished, processesOf, type SipWorld } from './world.mts';

interface Failure {
  readonly of: 'engine' | 'telephony';
  readonly by: 'SIGKILL' | 'SIGSTOP';
  /** While the other party is ringing, or immediately after it has answered, before the engine releases the line. */
  readonly at: 'ringing' | 'answer';
}

const failures: readonly Failure[] = (['engine', 'telephony'] as const).flatMap((of) =>
  (['SIGKILL', 'SIGSTOP'] as const).flatMap((by) => (['ringing', 'answer'] as const).map((at) => ({ of, by, at }))),
);
const nameOf = ({ of, by, at }: Failure): string => `${of}, ${by}, ${at}`;
export const transferFailureNames: readonly string[] = failures.map(nameOf);
/** Longer than the lease of an engine. */
const frozenSeconds = 30;
const leastHeardSeconds = 3;
/** How long the caller is silent before its tone begins, and for how long both parties are connected at least while it lasts. */
const [silentMs, connectedMs] = [8_000, 6_000];

/** @param isChosen whether a failure is to be tested */
export async function transferFailures(
  world: SipWorld,
  isChosen: (failure: string) => boolean,
): Promise<{ rows: object[]; broken: string[] }> {
  const rows: object[] = [];
  const broken: string[] = [];
  for (const [nth, failure] of failures.entries()) {
    const what = nameOf(failure);
    if (!isChosen(what)) continue;
    const found = await transferred(world, failure, nth).catch((error: unknown) => ({
      row: {},
      broken: [String(error).slice(0, 400)],
    }));
    rows.push({ failure: what, ...found.row });
    broken.push(...found.broken.map((one) => `${what}: ${one}`));
    // Waits until the killed process was restarted.
    await sleep(8_000);
  }
  return { rows, broken };
}

/** Stops all processes of a kind: it is not known which of them has the call or the events of Asterisk. */
async function fail({ platform }: SipWorld, { of, by }: Failure): Promise<void> {
  const pids = processesOf(platform).flatMap(({ name, pid }) => (name === of ? [pid] : []));
  if (by === 'SIGSTOP') return freeze(pids, frozenSeconds);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

async function transferred(world: SipWorld, failure: Failure, nth: number): Promise<{ row: object; broken: string[] }> {
  const { platform, asterisk, supervisor, number, calleePort } = world;
  const folder = path.join(world.folder, `transfer-failure-${nth}`);
  mkdirSync(folder);
  const [user, to] = [`+1415555800${nth}`, `+1415555810${nth}`];
  const [callersSound, othersSound] = [path.join(folder, 'caller.wav'), path.join(folder, 'other.wav')];
  writeWav(callersSound, joined(silence(toneRate, silentMs), tone(callersHertz, 90_000)));
  writeWav(othersSound, tone(othersHertz, 90_000));
  const shared = { guard: supervisor.guard, codec: 'g711', longestSeconds: 100 } as const;
  const other = await Telephone.start({
    ...{ ...shared, directory: path.join(folder, 'other'), user: to, audio: othersSound, sipPort: calleePort },
  });
  const caller = await Telephone.start(
    { ...shared, directory: path.join(folder, 'caller'), user, audio: callersSound },
    `sip:${number}@127.0.0.1:${asterisk.sipPort}`,
  );
  try {
    await other.prints('baresip is ready', 10_000);
    const toneFrom = (await caller.prints('Call established', 30_000)) + silentMs;
    await sleep(2_500);
    const { call_id: callId } = await callFrom(platform, user);
    await request(platform, 'POST', `/v1/calls/${callId}/transfer`, { to, kind: 'cold' });
    await other.prints('Incoming call', 20_000);
    const failed = failure.at === 'ringing' ? fail(world, failure) : undefined;
    if (failed !== undefined) await sleep(2_000);
    other.pickUp();
    const failing = failed ?? fail(world, failure);
    await other.prints('Call established', 20_000);
    await failing;
    const record = await finished(platform, callId);
    await sleep(Math.max(0, toneFrom - performance.now()) + connectedMs);
    const rung = other.output.split('Incoming call').length - 1;
    other.hangUp();
    await caller.prints('terminated', 15_000);
    for (const one of [caller, other]) one.stop();
    await Promise.all([caller.ended, other.ended]);
    const heard = {
      'other party heard, s': secondsOf(other.heard(), callersHertz),
      'caller heard, s': secondsOf(caller.heard(), othersHertz),
    };
    const outcomes = (record['transfers'] as { outcome: string }[]).map(({ outcome }) => outcome).join();
    const broken = [
      ...Object.entries(heard).flatMap(([what, s]) => (s >= leastHeardSeconds ? [] : [`${what}: ${s}`])),
      ...(rung === 1 ? [] : [`the other party was rung ${rung} times`]),
      ...(record.ended_reason === 'transferred' && outcomes === 'connected'
        ? []
        : [`is on record as ${record.ended_reason}, ${outcomes}`]),
    ];
    return { row: { ...heard, rung, ended_reason: record.ended_reason, transfers: outcomes }, broken };
  } finally {
    caller.stop();
    other.stop();
  }
}
