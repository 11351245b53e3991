/** One telephone's call: the keys it pressed, the audio it heard, and the call's record. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Telephone } from './baresip.mts';
import { codeIn, firstSoundMs } from './tones.mts';
import { callFrom, finished, writeQuiet, type CallRecord, type SipWorld } from './world.mts';

/** Maximum time from the answer to the greeting. */
const longestGreetingMs = 1_000;
const longestCallSeconds = 60;

/** What one telephone heard in its call. */
export interface Heard {
  readonly user: string;
  readonly code: string;
  readonly greetingMs: number | undefined;
  readonly heard: string;
  readonly record: CallRecord | undefined;
  /** When the call was answered and when it was hung up. */
  readonly from: number;
  readonly until: number;
  readonly failure: string | undefined;
}

/**
 * Makes a call, hears the greeting, presses its code, hears the code repeated by the agent, and hangs up.
 * @param again when it presses the code again: milliseconds after the answer, or a promise to wait for
 * @param exchanged called when the first code was repeated, or the call has failed
 */
export async function converse(
  world: SipWorld,
  nth: number,
  codec: 'g711' | 'g722',
  again: readonly (number | Promise<void>)[] = [],
  exchanged: () => void = () => undefined,
): Promise<Heard> {
  const { platform, asterisk, supervisor, folder, number } = world;
  const user = `+1415555${1_000 + nth}`;
  const code = String(1_234 + nth * 397).slice(-4);
  const expected = code.repeat(1 + again.length);
  const telephone = await Telephone.start(
    {
      guard: supervisor.guard,
      directory: path.join(folder, `caller-${nth}`),
      user,
      codec,
      audio: writeQuiet(folder, codec),
      longestSeconds: longestCallSeconds + Math.max(0, ...again.filter((one) => typeof one === 'number')) / 1_000,
    },
    `sip:${number}@127.0.0.1:${asterisk.sipPort}`,
  );
  try {
    const established = await telephone.prints('Call established', 30_000);
    const packets = await telephone.prints('incoming rtp', 10_000);
    await sleep(3_000);
    await telephone.press(`${code}#`);
    await sleep(5_000);
    exchanged();
    for (const when of again) {
      await (typeof when === 'number' ? sleep(Math.max(0, when - (performance.now() - established))) : when);
      await telephone.press(`${code}#`);
      await sleep(5_000);
    }
    const until = performance.now();
    telephone.hangUp();
    await sleep(500);
    telephone.stop();
    await telephone.ended;
    const { samples, rate } = telephone.heard();
    const first = firstSoundMs(samples, rate);
    const call = await callFrom(platform, user);
    return {
      user,
      code: expected,
      greetingMs: first === undefined ? undefined : packets - established + first,
      heard: codeIn(samples, rate),
      record: await finished(platform, call.call_id),
      from: established,
      until,
      failure: undefined,
    };
  } catch (error) {
    const failure = String(error).slice(0, 300);
    return { user, code: expected, greetingMs: undefined, heard: '', record: undefined, from: 0, until: 0, failure };
  } finally {
    exchanged();
    telephone.stop();
  }
}

export interface Talking {
  /** Resolves when the agent has repeated the first code in all calls. */
  readonly exchanged: Promise<unknown>;
  readonly all: Promise<Heard[]>;
}

/** Makes several calls that begin one after the other and are then in progress at the same time. */
export function talk(
  world: SipWorld,
  { count, from, apartMs = 0 }: { readonly count: number; readonly from: number; readonly apartMs?: number },
  again: readonly (number | Promise<void>)[],
): Talking {
  const first: Promise<void>[] = [];
  const all = Array.from({ length: count }, (_, nth) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    first.push(promise);
    return sleep(nth * apartMs).then(() => converse(world, from + nth, 'g711', again, resolve));
  });
  return { exchanged: Promise.all(first), all: Promise.all(all) };
}

export function judged(all: readonly Heard[]): string[] {
  return all.flatMap(({ user, code, greetingMs, heard, record, failure }) => {
    if (failure !== undefined) return [`${user}: ${failure}`];
    const faults: string[] = [];
    if (greetingMs === undefined || greetingMs > longestGreetingMs)
      faults.push(`the greeting came after ${greetingMs} ms`);
    if (heard !== code) faults.push(`pressed ${code} and heard ${heard === '' ? 'no code' : heard}`);
    if (record?.ended_reason !== 'caller_hung_up')
      faults.push(`is on record as ${record?.ended_reason}, ${String(record?.['reason_detail'])}`);
    return faults.map((fault) => `${user} ${fault}`);
  });
}
