/** A call that is transferred: caller and other party hear each other, and what remains of the call ends with either. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { joined, silence, writeWav, type Sound } from '../../scripts/asterisk/trial/sound.mts';
import { request } from '../telephony.mts';
import { Telephone } from './baresip.mts';
import { power } from './tones.mts';
import { callFrom, finished, read, type CallRecord, type SipWorld } from './world.mts';

const rate = 8_000;
const [callersHertz, othersHertz] = [440, 620];
const tone = (hertz: number, ms: number): Sound => ({
  rate,
  samples: Int16Array.from({ length: (ms * rate) / 1_000 }, (_, n) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hertz * n) / rate)),
  ),
});

/** Seconds in which a tone is heard. */
function secondsOf({ samples, rate: its }: Sound, hertz: number): number {
  const window = its / 10;
  let windows = 0;
  for (let at = 0; at + window <= samples.length; at += window)
    if (power(samples, at, window, hertz, its) > 1_000_000) windows += 1;
  return windows / 10;
}

export async function transfers(world: SipWorld): Promise<{ rows: object[]; broken: string[] }> {
  const { platform, asterisk, supervisor, folder, number, calleePort } = world;
  const [user, to] = ['+14155554001', '+14155554002'];
  const [callersSound, othersSound] = [path.join(folder, 'caller.wav'), path.join(folder, 'other.wav')];
  writeWav(callersSound, joined(silence(rate, 8_000), tone(callersHertz, 40_000)));
  writeWav(othersSound, tone(othersHertz, 40_000));
  const shared = { guard: supervisor.guard, codec: 'g711', longestSeconds: 60 } as const;
  const other = await Telephone.start({
    ...{ ...shared, directory: path.join(folder, 'other'), user: to, audio: othersSound },
    ...{ sipPort: calleePort, answers: true },
  });
  const caller = await Telephone.start(
    { ...shared, directory: path.join(folder, 'transferred'), user, audio: callersSound },
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
      throw new Error(`the transfer is on record as ${JSON.stringify(transfers)}`, { cause: error });
    });
    await sleep(12_000);
    const record = await finished(platform, callId);
    // The call of one ends with that of the other, without the platform.
    other.hangUp();
    await caller.prints('terminated', 10_000);
    for (const one of [caller, other]) one.stop();
    await Promise.all([caller.ended, other.ended]);
    const heard = {
      'other party heard, s': secondsOf(other.heard(), callersHertz),
      'caller heard, s': secondsOf(caller.heard(), othersHertz),
    };
    const outcomes = (record['transfers'] as { outcome: string }[]).map(({ outcome }) => outcome).join();
    const broken = [
      ...Object.entries(heard).flatMap(([what, s]) => (s >= 3 ? [] : [`${what}: ${s}`])),
      ...(record.ended_reason === 'transferred' && outcomes === 'connected'
        ? []
        : [`is on record as ${record.ended_reason}, ${outcomes}`]),
    ];
    return { rows: [{ ...heard, ended_reason: record.ended_reason, transfers: outcomes }], broken };
  } finally {
    caller.stop();
    other.stop();
  }
}
