import { forgetHome, newHome, startPlatform } from '../bench/platform.mts';
import type { Scenario, ScenarioOptions, ScenarioReport } from './scenario.mts';
import { badAnswers } from './webhooks/bad-answers.mts';
import { blackHoles } from './webhooks/black-holes.mts';
import { strikeAll } from './webhooks/failures.mts';
import { Receiver } from './webhooks/receiver.mts';
import { addEndpoint, callEvents, placeCalls, type World } from './webhooks/world.mts';

/** Maximum number of concurrent delivery attempts, which a killed process may repeat. */
const slots = 256;

/**
 * Causes failures in every component that an event passes from a call to a receiver while calls are placed, and counts in the call log which events never
 * arrived. Then lets receivers misbehave and measures the effect on the others.
 */
async function run({ scale, only, say }: ScenarioOptions): Promise<ScenarioReport> {
  const home = newHome();
  const receiver = new Receiver();
  const url = await receiver.start();
  const platform = await startPlatform(home, {
    WORKER_LEASE_SECONDS: '3',
    WEBHOOK_MAX_CONCURRENCY: String(slots),
    WEBHOOK_MAX_ENDPOINTS: '10000',
  });
  try {
    const world: World = { platform, receiver, url, say };
    await addEndpoint(world, `${url}/calls`, callEvents);
    const stop = await placeCalls(world);
    const reports: ScenarioReport[] = [await strikeAll(world, { scale, only, slots })];
    if ('answers that do not end'.includes(only)) {
      say('endpoints answer with a gigabyte, and drop by drop');
      reports.push(await badAnswers(world));
    }
    await stop();
    if ('black holes'.includes(only)) reports.push(await blackHoles(world, scale, slots));
    return { tables: reports.flatMap(({ tables }) => tables), broken: reports.flatMap(({ broken }) => broken) };
  } finally {
    await platform.stop();
    receiver.stop();
    forgetHome(home);
  }
}

export const scenario: Scenario = {
  title:
    'what an event passes on its way to a receiver is killed, stopped and robbed in turn; then receivers misbehave',
  run,
};
