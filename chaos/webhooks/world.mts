import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { BenchPlatform } from '../../bench/platform.mts';
import { instantNumber, prepare, request } from '../telephony.mts';
import type { Receiver } from './receiver.mts';

/** All events that a call of the simulator creates. */
export const callEvents = [
  'call.created',
  'call.queued',
  'call.dialing',
  'call.answered',
  'media.started',
  'call.ended',
  'call.failed',
  'call.canceled',
  'call.completed',
  'call.transcript.ready',
];

export interface World {
  readonly platform: BenchPlatform;
  readonly receiver: Receiver;
  readonly url: string;
  readonly say: (line: string) => void;
}

interface PlatformFile {
  readonly redis_url: string;
  readonly data_directory: string;
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
}

export const fileOf = ({ platform }: World): PlatformFile =>
  JSON.parse(readFileSync(path.join(platform.home, 'platform.json'), 'utf8')) as PlatformFile;

export const pidOf = (world: World, name: string): number | undefined =>
  fileOf(world).processes.find((one) => one.name === name)?.pid;

/** Resident memory of a process in kilobytes. */
export const memoryOf = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim());

/** Waits until the probe succeeds. @returns whether it did within the time */
export async function within(ms: number, probe: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const until = Date.now() + ms; Date.now() < until; await pause(25)) {
    if (await Promise.resolve(probe())) return true;
  }
  return false;
}

export const isReady = ({ platform }: World): Promise<boolean> =>
  fetch(`${platform.baseUrl}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

export async function addEndpoint({ platform }: World, url: string, events: readonly string[]): Promise<string> {
  const { organization_id, project_id } = platform.development;
  const { agent_endpoint_id: id } = await request(platform, 'POST', '/v1/agent-endpoints', {
    organization_id,
    project_id,
    webhook_url: url,
    audio_stream_url: 'ws://127.0.0.1:9/',
    events,
  });
  return id ?? '';
}

/** Places calls one after the other on a few lines; each creates about eight events. */
export async function placeCalls({ platform }: World): Promise<() => Promise<void>> {
  const agentId = await prepare(platform);
  let placing = true;
  const line = async (): Promise<void> => {
    while (placing) {
      await request(platform, 'POST', '/v1/calls', { agent_id: agentId, from: instantNumber, to: '+15005550006' });
      await pause(100);
    }
  };
  const working = Promise.all([line(), line(), line()]);
  return async () => {
    placing = false;
    await working;
  };
}

/** Uses a new connection each time, because the server may have been killed since the last query. */
export async function query<Row extends pg.QueryResultRow>(
  { platform }: World,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const db = new pg.Client({ connectionString: platform.file.database_url });
  await db.connect();
  try {
    return (await db.query<Row>(text, values)).rows;
  } finally {
    await db.end();
  }
}

/** Returns how many events of all calls so far have not arrived: as soon as there are none, or when the time is up. */
export async function missing(world: World, patienceMs: number): Promise<number> {
  const events = await query<{ event_id: string }>(
    world,
    'select event_id from telephony.call_events where type = any($1)',
    [callEvents],
  );
  const left = (): number => events.filter(({ event_id }) => !world.receiver.arrived.has(event_id)).length;
  await within(patienceMs, () => left() === 0);
  return left();
}
