import { ControlState } from '@parley/proto/auth';
import { ControlStateMirror, createDatabase, createLogger, systemClock } from '@parley/runtime';
import { changesPerAnswer } from '../src/control-state/get-control-state';
import { anonymous, startPlatform, type Platform } from './platform';

const million = 1_000_000;
const keptFrom = 800_001;
const batch = 100_000;

let platform: Platform;
beforeAll(async () => (platform = await startPlatform()));
afterAll(() => platform.stop());

const starts = 10;

/** Simulates ten starts of a process; returns their time together, and the number and size of the responses of the last one. */
async function start(): Promise<{ ms: number; bytes: number; answers: number }> {
  let [bytes, answers] = [0, 0];
  const began = performance.now();
  for (let time = 0; time < starts; time += 1) {
    [bytes, answers] = [0, 0];
    const mirror = new ControlStateMirror({
      fetch: async (sinceEpoch) => {
        const answer = await platform.client.getControlState({ sinceEpoch }, anonymous);
        bytes += ControlState.encode(answer).finish().length;
        answers += 1;
        return answer;
      },
      clock: systemClock,
      log: createLogger({ service: 'test', level: 'silent' }),
    });
    await mirror.refreshed();
  }
  return { ms: performance.now() - began, bytes, answers };
}

describe('the control state after a million revocations', () => {
  it('a process starts as fast as without revocations, and a polling process receives pages of bounded size', async () => {
    const before = await start();
    const admin = createDatabase({ url: platform.adminUrl, schema: 'auth', poolSize: 1, statementTimeoutMs: 120_000 });
    for (let from = 1; from < million; from += batch) {
      const range = `generate_series(${from}, ${from + batch - 1}) n`;
      await admin.query({
        text: `insert into auth.api_keys (key_id, organization_id, kind, name, scopes, token_hash, pepper_version, last_four, created_by,
                 revoked_at, revoked_epoch)
               select 'key_' || n, 'org_a', 'customer', 'revoked', '{}', sha256(n::text::bytea), 1, 'abcd', '', now(), n from ${range}`,
      });
    }
    // Only the latest fifth of the changes is still retained.
    await admin.query({
      text: `insert into auth.control_changes (epoch, kind, subject)
             select n, 'key_revoked', 'key_' || n from generate_series(${keptFrom}, ${million}) n`,
    });
    await admin.query({ text: `update auth.control_epoch set epoch = ${million}, complete_since = ${keptFrom - 1}` });
    await admin.query({ text: 'vacuum (analyze) auth.control_changes' });
    await admin.pool.end();
    const after = await start();
    expect([before.answers, after.answers]).toEqual([1, 1]);
    // The larger epoch takes a few more bytes.
    expect(after.bytes).toBeLessThanOrEqual(before.bytes + 8);
    // Reading a million revocations would take hundreds of milliseconds.
    expect(after.ms).toBeLessThan(before.ms * 3 + starts * 100);

    const behind = await platform.client.getControlState({ sinceEpoch: String(keptFrom) }, anonymous);
    expect([behind.more, behind.complete, behind.revokedKeyIds.length]).toEqual([true, false, changesPerAnswer]);
    expect(behind.epoch).toBe(String(keptFrom + changesPerAnswer));
    const latest = await platform.client.getControlState({ sinceEpoch: String(million - 10) }, anonymous);
    expect([latest.more, latest.revokedKeyIds.length]).toEqual([false, 10]);
    const away = await platform.client.getControlState({ sinceEpoch: '2' }, anonymous);
    expect([away.complete, away.revokedKeyIds]).toEqual([true, []]);
    const { rows } = await platform.db.query<{ 'QUERY PLAN': string }>({
      text: `explain select epoch, kind, subject from control_changes where epoch > ${million - 10_000} order by epoch limit 5000`,
    });
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Only Scan using control_changes_pkey');
  }, 600_000);
});
