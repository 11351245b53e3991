import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { forgetHome, newHome, startPlatform } from '../bench/platform.mts';
import { stopProcess } from '../bench/process.mts';
import { startServers } from './servers/start.mts';
import type { Scenario, ScenarioOptions, ScenarioReport } from './scenario.mts';
import { brokenFacts, count, lostWorkers, placeAll, prepare, prepaidCustomer, settled } from './telephony.mts';
import { Watch } from './webhooks/watch.mts';

const calls = 600;
const placingMs = 60_000;
const patienceMs = 300_000;
/** Where the clock is, one after the other, as offsets from the real time. */
const jumps = ['+3600', '-3600', '+60', '-60', '+0'] as const;

/**
 * The clock of all services jumps while calls are placed and in progress; PostgreSQL, NATS and Redis keep the right time. The monotonic clock goes on, as it
 * does when an administrator or NTP sets the time. Needs Debian's package libfaketime.
 */
async function run({ scale, say }: ScenarioOptions): Promise<ScenarioReport> {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (library === undefined) throw new Error('libfaketime is not installed');
  const home = newHome();
  const offset = path.join(home, 'offset');
  const setClock = (seconds: string): void => writeFileSync(offset, `${seconds}s\n`);
  setClock('+0');
  const servers = await startServers(path.join(home, 'servers'));
  let watch: Watch | undefined;
  try {
    const platform = await startPlatform(path.join(home, 'platform'), {
      ...servers.env,
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: offset,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
    });
    try {
      const customer = await prepaidCustomer(platform);
      watch = await Watch.start(customer, say);
      const agentId = await prepare(customer);
      const lasts = Math.max(25_000, placingMs * scale);
      const placing = placeAll(customer, agentId, Math.max(60, Math.round(calls * scale)), lasts);
      // Awaited later: until then a refusal must not end this process, whose platform would go on.
      placing.catch(() => undefined);
      const seen: { readonly 'set to': string; readonly 'seen by the gateway': number | undefined }[] = [];
      for (const jump of jumps) {
        await pause(lasts / (jumps.length + 1));
        setClock(jump);
        // The library reads the file once a second.
        await pause(1_500);
        seen.push({ 'set to': `${jump} s`, 'seen by the gateway': await offsetOf(platform.baseUrl) });
      }
      const placed = await placing;
      const begun = Date.now();
      const db = await settled(platform, placed, begun + patienceMs);
      const facts = await count(db, customer.development.organization_id, [...placed]);
      await db.end();
      const watched = await watch.finish();
      const jumped = jumps.every((jump, n) => Math.abs((seen[n]?.['seen by the gateway'] ?? NaN) - Number(jump)) <= 5);
      return {
        tables: [
          { title: 'the clock of the services', rows: seen },
          {
            title: `${placed.size} calls`,
            // The times of events are those of the jumping clocks, so how late they arrived cannot be measured.
            rows: [{ ...facts, ...watched.row, 'latest event s': 'not measurable' }],
          },
        ],
        broken: [
          ...brokenFacts(facts, placed.size),
          ...lostWorkers(facts),
          ...watched.broken,
          ...(jumped ? [] : ['the clock of the gateway did not follow every jump']),
        ],
      };
    } finally {
      await platform.stop();
    }
  } finally {
    watch?.stop();
    await stopProcess(servers.child);
    forgetHome(home);
  }
}

/** The seconds by which a gateway is ahead, from the Date of its response. */
async function offsetOf(baseUrl: string): Promise<number | undefined> {
  const date = await fetch(`${baseUrl}/livez`).then(
    ({ headers }) => headers.get('date'),
    () => null,
  );
  return date === null ? undefined : Math.round((Date.parse(date) - Date.now()) / 1000);
}

export const scenario: Scenario = {
  title:
    'the clocks of all services jump by an hour and a minute, forwards and backwards, while calls are placed and talked',
  run,
};
