import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AgentForCall } from '@parley/proto/agents';
import { createLogger, migrate } from '@parley/runtime';
import { addNumber, claim, complete, place, report } from './test-caller';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const real = path.join(__dirname, '..', 'migrations');
const log = createLogger({ service: 'test', level: 'silent' });

/**
 * Changes that a later release can make while this one is running: columns with defaults and checks, a table, an index over rows that are
 * being written, and values for the new column. The index is built outside a transaction.
 */
const later = {
  columns: `alter table calls add column later_note text, add column later_count integer not null default 0;
    alter table jobs add column later_rank smallint not null default 1;
    alter table organization_controls add column later_cap integer check (later_cap >= 0);
    create table later_things (id text primary key, organization_id text not null);`,
  index: `-- no transaction
    create index concurrently calls_later on calls (organization_id, later_count, call_id);`,
  backfill: `update calls set later_note = status where later_note is null;`,
};

describe('migrations of the next release while this one is running', () => {
  let under: UnderTest;
  let instances: Instance[];
  let agent: AgentForCall;
  const folder = mkdtempSync(path.join(tmpdir(), 'migrations-'));

  beforeAll(async () => {
    under = await telephonyUnderTest();
    instances = [await under.start({ workerLeaseSeconds: 300 }), await under.start({ workerLeaseSeconds: 300 })];
    agent = under.fakes.addAgent();
    await addNumber(instances[0] as Instance, agent);
    cpSync(real, folder, { recursive: true });
    const next = Math.max(...readdirSync(real).map((name) => Number.parseInt(name, 10))) + 1;
    Object.entries(later).forEach(([name, sql], index) => {
      writeFileSync(path.join(folder, `${String(next + index).padStart(4, '0')}-${name}.sql`), sql);
    });
  });
  afterAll(async () => {
    await under.stop();
    rmSync(folder, { recursive: true });
  });

  /** A complete call through one instance: placed, claimed, dialed and ended. */
  async function wholeCall(instance: Instance): Promise<void> {
    await place(instance, agent);
    const [job] = await claim(instance, 1, 20);
    if (job === undefined) throw new Error('no job was claimed');
    await report(instance, job, 1, 'dialing', { type: 'failed', ended_reason: 'busy' });
    await complete(instance, job);
  }

  it('succeed, and every call before, during and after them is placed, claimed and completed', async () => {
    let going = true;
    let done = 0;
    const working = Promise.all(
      [...instances, ...instances].map(async (instance) => {
        while (going) {
          await wholeCall(instance);
          done += 1;
        }
      }),
    );
    const progress = async (calls: number) => {
      const wanted = done + calls;
      while (done < wanted) await Promise.race([working, new Promise((resolve) => setTimeout(resolve, 10))]);
    };
    try {
      await progress(5);
      const { adminUrl, url: databaseUrl } = under.database;
      const ran = await migrate({ folder, schema: 'telephony', adminUrl, databaseUrl, log });
      expect(ran).toHaveLength(Object.keys(later).length);
      await progress(5);
    } finally {
      going = false;
    }
    await working;
    const { rows } = await under.db.query<{ calls: number; over: number }>({
      text: `select count(*)::integer as calls, (count(*) filter (where status in ('completed', 'failed')))::integer as over
             from calls where organization_id = $1`,
      values: [agent.organizationId],
    });
    expect(rows).toEqual([{ calls: done, over: done }]);
  });
});
