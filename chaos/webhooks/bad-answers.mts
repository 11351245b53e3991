import { setTimeout as pause } from 'node:timers/promises';
import type { ScenarioReport } from '../scenario.mts';
import { request } from '../telephony.mts';
import { addEndpoint, memoryOf, pidOf, type World } from './world.mts';

/** Endpoints that respond with a gigabyte, or with one byte every fifth of a second, next to one that works normally. */
export async function badAnswers(world: World): Promise<ScenarioReport> {
  const { platform, receiver, url } = world;
  const pid = pidOf(world, 'webhooks') ?? 0;
  const before = memoryOf(pid);
  const ids = [await addEndpoint(world, `${url}/huge`, ['call.created'])];
  ids.push(await addEndpoint(world, `${url}/drip`, ['call.created']));
  let most = before;
  // The slow response is aborted after fifteen seconds; this waits somewhat longer.
  for (const until = Date.now() + 25_000; Date.now() < until; await pause(250)) most = Math.max(most, memoryOf(pid));
  for (const id of ids) {
    await request(platform, 'DELETE', `/v1/agent-endpoints/${id}`, {}).catch(() => undefined);
  }
  const row = {
    'most bytes of 1 GB that left': receiver.mostTaken,
    'longest drip s': Number((receiver.longestDrip / 1000).toFixed(1)),
    'memory before MB': Math.round(before / 1024),
    'memory at most MB': Math.round(most / 1024),
  };
  const broken = [
    ...(receiver.mostTaken === 0 || receiver.longestDrip === 0 ? ['a bad answer was never asked for'] : []),
    ...(receiver.mostTaken > 64 * 1024 * 1024 ? ['more of the huge answer was taken than buffers hold'] : []),
    ...(receiver.longestDrip > 20_000 ? ['an answer was listened to for more than 15 s'] : []),
  ];
  return { tables: [{ title: 'answers that do not end', rows: [row] }], broken };
}
