/**
 * The cost of a whole call for each process, from POST /v1/calls to the last webhook, and the bytes that it stores. These are the measurements of
 * docs/capacity.md.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { instantNumber, prepare, request } from '../../chaos/telephony.mts';
import { Receiver } from '../../chaos/webhooks/receiver.mts';
import { addEndpoint, callEvents, missing } from '../../chaos/webhooks/world.mts';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import { cpuOfTree } from '../process.mts';
import type { BenchRow } from '../row.mts';

const perSecond = 10;
const restSeconds = 5;
const warmUp = 50;

interface Usage {
  readonly at: number;
  /** Seconds of CPU by process. */
  readonly cpu: ReadonlyMap<string, number>;
  readonly databaseBytes: number;
  readonly walBytes: number;
}

function processes({ home }: BenchPlatform): { name: string; pid: number }[] {
  const file = JSON.parse(readFileSync(path.join(home, 'platform.json'), 'utf8')) as {
    processes: { name: string; pid: number }[];
  };
  return file.processes;
}

async function usage(platform: BenchPlatform, db: pg.Client): Promise<Usage> {
  const { rows } = await db.query<{ size: string; wal: string }>(
    `select pg_database_size(current_database()) as size, pg_current_wal_lsn() - '0/0'::pg_lsn as wal`,
  );
  return {
    at: performance.now(),
    cpu: new Map(processes(platform).map(({ name, pid }) => [name, cpuOfTree(pid)])),
    databaseBytes: Number(rows[0]?.size),
    walBytes: Number(rows[0]?.wal),
  };
}

async function placeEvenly(platform: BenchPlatform, agentId: string, calls: number): Promise<void> {
  const begun = performance.now();
  const placed: Promise<unknown>[] = [];
  for (let n = 0; n < calls; n += 1) {
    await pause(Math.max(0, begun + (n * 1000) / perSecond - performance.now()));
    placed.push(request(platform, 'POST', '/v1/calls', { agent_id: agentId, from: instantNumber, to: '+15005550006' }));
  }
  await Promise.all(placed);
}

async function settled(platform: BenchPlatform, db: pg.Client, receiver: Receiver): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ open: string }>(
      "select count(*) as open from telephony.calls where status not in ('completed', 'failed', 'canceled')",
    );
    if (rows[0]?.open === '0') break;
    await pause(100);
  }
  const left = await missing({ platform, receiver, url: '', say: () => undefined }, 120_000);
  if (left > 0) throw new Error(`${left} events never came`);
}

export const bench: BenchRow = {
  title: 'calls',
  async run({ seconds, pairs }) {
    const home = newHome();
    const receiver = new Receiver();
    const url = await receiver.start();
    const platform = await startPlatform(home);
    const db = new pg.Client({ connectionString: platform.file.database_url });
    try {
      await db.connect();
      await addEndpoint({ platform, receiver, url, say: () => undefined }, `${url}/calls`, callEvents);
      const agentId = await prepare(platform);
      await placeEvenly(platform, agentId, warmUp);
      await settled(platform, db, receiver);
      const idle = await usage(platform, db);
      await pause(restSeconds * 1000);
      const before = await usage(platform, db);
      const delivered = receiver.deliveries;
      const calls = perSecond * seconds * pairs;
      await placeEvenly(platform, agentId, calls);
      await settled(platform, db, receiver);
      const after = await usage(platform, db);
      const atRest = (name: string) =>
        ((before.cpu.get(name) ?? 0) - (idle.cpu.get(name) ?? 0)) / ((before.at - idle.at) / 1000);
      const rows = [...after.cpu].map(([name, used]) => {
        const spent = used - (before.cpu.get(name) ?? 0) - atRest(name) * ((after.at - before.at) / 1000);
        return {
          process: name,
          'CPU ms a call': Number(((spent * 1000) / calls).toFixed(2)),
          'at rest, ms a second': Number((atRest(name) * 1000).toFixed(1)),
        };
      });
      const total = rows.reduce((sum, row) => sum + row['CPU ms a call'], 0);
      const events = await db.query<{ bytes: number }>(
        'select round(avg(octet_length(payload)))::integer as bytes from telephony.call_events',
      );
      const bytes = {
        'deliveries a call': Number(((receiver.deliveries - delivered) / calls).toFixed(2)),
        'KB a call in PostgreSQL': Number(((after.databaseBytes - before.databaseBytes) / calls / 1024).toFixed(1)),
        'bytes an event': Number(events.rows[0]?.bytes),
        'KB a call of WAL': Number(((after.walBytes - before.walBytes) / calls / 1024).toFixed(1)),
        'CPU ms a call in all': Number(total.toFixed(1)),
      };
      return [
        {
          title: `${calls} calls at ${perSecond} a second, one replica of everything, all webhooks to one endpoint`,
          rows,
        },
        { title: 'what they leave', rows: [bytes] },
      ];
    } finally {
      await db.end();
      await platform.stop();
      receiver.stop();
      forgetHome(home);
    }
  },
};
