/** A cold transfer by SIP REFER: the peer itself calls the other party, and Asterisk is not involved any more. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { joined, silence, writeWav } from '../../scripts/asterisk/trial/sound.mts';
import { request } from '../telephony.mts';
import { Telephone } from './baresip.mts';
import { callersHertz, othersHertz, secondsOf, tone, toneRate } from './transfers.mts';
import { callFrom, finished, read, type CallRecord, type SipWorld } from './world.mts';

const leastHeardSeconds = 3;

export async function transfersByRefer(world: SipWorld): Promise<{ rows: object[]; broken: string[] }> {
  const { platform, trunkId } = world;
  await request(platform, 'PATCH', `/v1/sip-trunks/${trunkId}`, { cold_transfers: 'refer' });
  try {
    return await referred(world);
  } finally {
    await request(platform, 'PATCH', `/v1/sip-trunks/${trunkId}`, { cold_transfers: 'bridge' });
  }
}

async function referred(world: SipWorld): Promise<{ rows: object[]; broken: string[] }> {
  const { platform, asterisk, supervisor, number, calleePort } = world;
  const folder = path.join(world.folder, 'referred');
  mkdirSync(folder);
  const [user, to] = ['+14155554005', '+14155554006'];
  const [callersSound, othersSound] = [path.join(folder, 'caller.wav'), path.join(folder, 'other.wav')];
  writeWav(callersSound, joined(silence(toneRate, 4_000), tone(callersHertz, 60_000)));
  writeWav(othersSound, tone(othersHertz, 40_000));
  const shared = { guard: supervisor.guard, codec: 'g711', longestSeconds: 60 } as const;
  const other = await Telephone.start({
    ...{ ...shared, directory: path.join(folder, 'other'), user: to, audio: othersSound },
    ...{ sipPort: calleePort, answers: true },
  });
  const caller = await Telephone.start(
    { ...shared, directory: path.join(folder, 'referring'), user, audio: callersSound },
    `sip:${number}@127.0.0.1:${asterisk.sipPort}`,
  );
  try {
    await other.prints('baresip is ready', 10_000);
    await caller.prints('Call established', 30_000);
    await sleep(2_500);
    const { call_id: callId } = await callFrom(platform, user);
    await request(platform, 'POST', `/v1/calls/${callId}/transfer`, { to, kind: 'cold' });
    await other.prints('Call established', 20_000).catch(async (error: unknown) => {
      const { transfers } = await read<CallRecord>(platform, `/v1/calls/${callId}`);
      throw new Error(`the transfer is on record as ${JSON.stringify(transfers)}: ${caller.output.slice(-600)}`, {
        cause: error,
      });
    });
    await sleep(8_000);
    await finished(platform, callId);
    other.hangUp();
    await sleep(1_000);
    for (const one of [caller, other]) one.stop();
    await Promise.all([caller.ended, other.ended]);
    const record = await read<CallRecord>(platform, `/v1/calls/${callId}`);
    const tries = (record['transfers'] as { outcome: string; method?: string }[])
      .map(({ outcome, method }) => `${outcome} by ${method ?? 'bridge'}`)
      .join();
    const heard = secondsOf(other.heard(), callersHertz);
    const broken = [
      ...(heard >= leastHeardSeconds ? [] : [`the other party heard the caller for ${heard} s`]),
      ...(record.ended_reason === 'transferred' && tries === 'connected by refer'
        ? []
        : [`is on record as ${record.ended_reason}, ${tries}`]),
    ];
    return { rows: [{ 'other party heard, s': heard, ended_reason: record.ended_reason, transfers: tries }], broken };
  } finally {
    caller.stop();
    other.stop();
  }
}
