import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireTools } from '../scripts/asterisk/trial/tools.mts';
import { freeze } from './freezing/freeze.mts';
import { Telephone } from './sip/baresip.mts';
import { converse, judged, talk } from './sip/conversation.mts';
import { externalModes } from './sip/external.mts';
import { outages } from './sip/outages.mts';
import { placeRefused, type Refusal } from './sip/refusals.mts';
import { rolled } from './sip/rolling.mts';
import { codeIn } from './sip/tones.mts';
import { transferFailureNames, transferFailures } from './sip/transfer-failures.mts';
import { transfersByRefer } from './sip/referring.mts';
import { transfers } from './sip/transfers.mts';
import { speaks } from './sip/words.mts';
import { callFrom, finished, processesOf, startSipWorld, writeQuiet, type SipWorld } from './sip/world.mts';
import type { Scenario, ScenarioOptions, ScenarioReport } from './scenario.mts';
import { request } from './telephony.mts';

const callers = 20;
const longestCallSeconds = 60;
/** The stage of which single failures can be selected, for example with `--only 'die: telephony, SIGSTOP, answer'`. */
const dying = 'calls that are transferred while processes die';
const dyingBy = (failure: string): string => `${dying}: ${failure}`;
/** Milliseconds between the beginnings of two calls; all calls are in progress at the same time. */
const apartMs = 250;

/** Makes real calls over SIP and checks them by the callers' recordings. Then repeats them while an engine or Asterisk is killed. */
async function run({ scale, only, say }: ScenarioOptions): Promise<ScenarioReport> {
  requireTools(say);
  const world = await startSipWorld(2, say);
  try {
    await untilReached(world);
    const broken: string[] = [];
    const tables: { title: string; rows: object[] }[] = [];
    const isChosen = (title: string): boolean => only.split('|').some((one) => title.includes(one));
    const stages: Readonly<Record<string, (world: SipWorld) => Promise<{ rows: object[]; broken: string[] }>>> = {
      'calls that come in at once': (one) => incoming(one, Math.max(2, Math.round(callers * scale)), 0, apartMs),
      'calls that come in in the same moment': (one) => incoming(one, Math.max(2, Math.round(callers * scale)), 800, 0),
      'words over G.722': speaks,
      'calls of external agents': externalModes,
      'a call that goes out': outgoing,
      'a call that is transferred': transfers,
      'a call that is transferred by its peer': transfersByRefer,
      [dying]: (one) => transferFailures(one, (failure) => isChosen(dyingBy(failure))),
      'calls that are not answered': refusals,
      'an engine that is killed': (one) => killed(one, 'engine'),
      'keys that are pressed while no engine is connected': pressedInBetween,
      'an engine that is frozen': frozen,
      'an Asterisk that is killed': (one) => killed(one, 'asterisk'),
      'a rollout of engines, telephony and gateways': (one) => rolled(one, Math.max(4, Math.round(callers * scale))),
      'NATS, gateways and PostgreSQL that are away': (one) =>
        outages(one, Math.max(4, Math.round(callers * scale)), 60),
    };
    for (const [title, stage] of Object.entries(stages)) {
      if (![title, ...(title === dying ? transferFailureNames.map(dyingBy) : [])].some(isChosen)) continue;
      say(title);
      const found = await stage(world);
      // Printed now, because the remaining parts take minutes.
      for (const one of [...found.rows.map((row) => JSON.stringify(row)), ...found.broken]) say(one);
      tables.push({ title, rows: found.rows });
      broken.push(...found.broken.map((one) => `${title}: ${one}`));
    }
    return { tables, broken };
  } finally {
    await world.stop();
  }
}

/** Waits until engines have claimed, and a telephony process handles the calls of Asterisk. */
async function untilReached({ platform }: SipWorld): Promise<void> {
  const handled = (): boolean =>
    ['telephony-0', 'telephony-1'].some((name) =>
      readFileSync(path.join(platform.home, 'logs', `${name}.log`), 'utf8').includes('handling the calls of SIP'),
    );
  for (const until = performance.now() + 30_000; performance.now() < until && !handled();) await sleep(100);
  await sleep(3_000);
}

async function incoming(
  world: SipWorld,
  count: number,
  first: number,
  apart: number,
): Promise<{ rows: object[]; broken: string[] }> {
  const all = await Promise.all(
    Array.from({ length: count }, (_, nth) =>
      sleep(nth * apart).then(() => converse(world, first + nth, nth % 2 === 0 ? 'g711' : 'g722')),
    ),
  );
  const atOnce = Math.max(...all.map(({ from }) => all.filter((one) => one.from <= from && one.until > from).length));
  const greetings = all.flatMap(({ greetingMs }) => greetingMs ?? []).sort((one, other) => one - other);
  const right = all.filter(({ code, heard }) => code === heard).length;
  const rows = [
    {
      calls: count,
      'at once': atOnce,
      'heard their own code': right,
      'greeting p50 ms': Math.round(greetings[greetings.length >> 1] ?? 0),
      'greeting longest ms': Math.round(greetings.at(-1) ?? 0),
    },
  ];
  return { rows, broken: [...judged(all), ...(atOnce === count ? [] : [`${atOnce} of ${count} calls were at once`])] };
}

/** The platform calls a telephone, which answers, presses a code and hangs up. */
async function outgoing(world: SipWorld): Promise<{ rows: object[]; broken: string[] }> {
  const { platform, supervisor, folder, number, agentId, calleePort } = world;
  const to = '+14155552001';
  const callee = await Telephone.start({
    guard: supervisor.guard,
    directory: path.join(folder, 'callee'),
    user: to,
    codec: 'g722',
    audio: writeQuiet(folder, 'g722'),
    sipPort: calleePort,
    answers: true,
    longestSeconds: longestCallSeconds,
  });
  await callee.prints('baresip is ready', 10_000);
  const { call_id: callId = '' } = await request(platform, 'POST', '/v1/calls', {
    agent_id: agentId,
    to,
    from: number,
  });
  await callee.prints('Call established', 20_000);
  await sleep(3_000);
  await callee.press('7391#');
  await sleep(5_000);
  callee.hangUp();
  await sleep(500);
  callee.stop();
  await callee.ended;
  const { samples, rate } = callee.heard();
  const [heard, record] = [codeIn(samples, rate), await finished(platform, callId)];
  const broken = [
    ...(heard === '7391' ? [] : [`pressed 7391 and heard ${heard}`]),
    ...(record.ended_reason === 'callee_hung_up' ? [] : [`is on record as ${record.ended_reason}`]),
    ...(callee.output.includes(number) ? [] : ['the callee did not see the number that calls']),
  ];
  return { rows: [{ heard, ended_reason: record.ended_reason, codec: `G.722, ${rate} Hz` }], broken };
}

/** What a peer responds instead of answering the call, and the reason with which the call then ends. */
const refusalsOfPeers: readonly Refusal[] = [
  { says: '486 Busy Here', endedReason: 'busy' },
  { says: '603 Decline', endedReason: 'declined' },
  { says: '480 Temporarily Unavailable', endedReason: 'no_answer' },
  { says: '404 Not Found', endedReason: 'carrier_failure' },
  { says: '503 Service Unavailable', endedReason: 'carrier_failure' },
  // Early media counts as ringing: the call is never answered, and is given up after LINE_RING_SECONDS.
  { says: '183 Session Progress', endedReason: 'no_answer' },
];

async function refusals(world: SipWorld): Promise<{ rows: object[]; broken: string[] }> {
  const rows: object[] = [];
  const broken: string[] = [];
  for (const [nth, refusal] of refusalsOfPeers.entries()) {
    const record = await placeRefused(world, refusal, nth);
    rows.push({ says: refusal.says, ended_reason: record.ended_reason, detail: record['reason_detail'] });
    if (record.ended_reason !== refusal.endedReason)
      broken.push(`${refusal.says} is on record as ${record.ended_reason}, not ${refusal.endedReason}`);
    if (record['answered_at'] !== null) broken.push(`${refusal.says} is on record as answered`);
  }
  return { rows, broken };
}

/** Milliseconds after the beginning of the calls: when the process is killed, and when the callers press their codes again. */
const [killedMs, pressedAgainMs] = [9_500, 16_000];

/** Calls in progress while an engine is killed continue with another one; while Asterisk is killed, each ends exactly once. A later call works as usual. */
async function killed(world: SipWorld, victim: 'engine' | 'asterisk'): Promise<{ rows: object[]; broken: string[] }> {
  const { platform, asterisk } = world;
  const [base, again] = victim === 'engine' ? [100, [pressedAgainMs]] : [200, []];
  const talking = Array.from({ length: 4 }, (_, nth) => converse(world, base + nth, 'g711', again));
  await sleep(victim === 'engine' ? killedMs : 5_500);
  const pid = victim === 'asterisk' ? asterisk.pid() : processesOf(platform).find(({ name }) => name === 'engine')?.pid;
  if (pid === undefined) return { rows: [], broken: [`there is no ${victim}`] };
  process.kill(pid, 'SIGKILL');
  const all = await Promise.all(talking);
  const broken: string[] = victim === 'engine' ? judged(all) : [];
  const ends: (string | null)[] = [];
  for (const { user } of all) {
    const record = await callFrom(platform, user, 5_000)
      .then((call) => finished(platform, call.call_id))
      .catch((error: unknown) => void broken.push(`${user}: ${String(error)}`));
    if (record) ends.push(record.ended_reason);
  }
  // Waits until the engines were replaced, Asterisk was restarted, and the platform has configured its trunks again.
  await sleep(12_000);
  const after = await converse(world, base + 50, 'g711');
  broken.push(...judged([after]));
  const rows = [
    {
      killed: victim,
      calls: all.length,
      'answered afterwards': all.filter(({ code, heard }) => code === heard).length,
      ends: ends.join(', '),
      'a new call': after.heard === after.code ? 'is as any' : 'is not answered',
    },
  ];
  return { rows, broken };
}

/** Keys that are pressed after the death of an engine reach the engine that continues the call. */
async function pressedInBetween(world: SipWorld): Promise<{ rows: object[]; broken: string[] }> {
  let died = (): void => undefined;
  const death = new Promise<void>((resolve) => (died = resolve));
  const talking = talk(world, { count: 4, from: 650 }, [death]);
  await talking.exchanged;
  const pid = processesOf(world.platform).find(({ name }) => name === 'engine')?.pid;
  if (pid === undefined) return { rows: [], broken: ['there is no engine'] };
  process.kill(pid, 'SIGKILL');
  died();
  const all = await talking.all;
  const answered = all.filter(({ code, heard }) => code === heard).length;
  await sleep(12_000);
  return { rows: [{ calls: all.length, 'answered, with all keys': answered }], broken: judged(all) };
}

/** The engine is frozen for longer than a lease, and longer than it takes to notice that the lease has expired. */
const [frozenSeconds, pressedAfterFreezeMs] = [70, 65_000];

/** Calls of a frozen engine continue with another one. When the frozen engine continues, it must not disturb any of them. */
async function frozen(world: SipWorld): Promise<{ rows: object[]; broken: string[] }> {
  const again = [pressedAfterFreezeMs, pressedAfterFreezeMs + 30_000];
  const talking = talk(world, { count: 4, from: 600 }, again);
  await talking.exchanged;
  const pid = processesOf(world.platform).find(({ name }) => name === 'engine')?.pid;
  if (pid === undefined) return { rows: [], broken: ['there is no engine'] };
  await freeze([pid], frozenSeconds);
  const all = await talking.all;
  const rows = [
    {
      frozen: `an engine, ${frozenSeconds} s`,
      calls: all.length,
      'answered before, during and after': all.filter(({ code, heard }) => code === heard).length,
      ends: all.map(({ record }) => record?.ended_reason).join(', '),
    },
  ];
  return { rows, broken: judged(all) };
}

export const scenario: Scenario = {
  title:
    'real SIP calls through Asterisk, judged by what the callers recorded, while an engine and Asterisk are killed',
  run,
};
