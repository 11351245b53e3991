import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { InputLog } from '../src/replay/input-log';
import { replay } from './replay/replay';
import { runCall } from './running-calls';
import type { JobChange } from './jobs';

/** Conducts a call of the simulator, and returns its log. */
async function logOf(to: string, change: JobChange = {}): Promise<string> {
  let log = '';
  const keep = (text: string): void => {
    log = text;
  };
  await runCall(to, change, undefined, undefined, ({ call }) => new InputLog(call.call_id, keep));
  return log;
}

/** The log with changed numbers in its plan, as if the engine had other thresholds. */
function withPlan(log: string, change: Record<string, unknown>): string {
  const [first = '', ...lines] = log.split('\n');
  const header = JSON.parse(first) as { plan: object };
  return [JSON.stringify({ ...header, plan: { ...header.plan, ...change } }), ...lines].join('\n');
}

const everyNumber = Array.from({ length: 9 }, (_, n) => `+1500555000${n}`);
const agentBegins = { effective: { first_speaker: 'agent' } };

describe('the log of a call', () => {
  it('has the probability that the turn is finished with every final transcript, and changed ones lead to other decisions', async () => {
    const log = await logOf('+15005550000');
    const finals = log.split('\n').filter((line) => line.includes('"type":"final"') && !line.includes('"text":""'));
    expect(finals.length).toBeGreaterThan(0);
    for (const final of finals) expect(final).toMatch(/"judged":(?:0|1|0\.\d+)[,}]/);
    expect(replay(log).difference).toBeUndefined();
    expect(replay(log.replaceAll(/"judged":[\d.]+/g, '"judged":0')).difference).toBeDefined();
  });

  it.each(everyNumber.flatMap((to) => [[to, {}] as const, [to, agentBegins] as const]))(
    'to %s with %j replays to the same effects',
    async (to, change) => {
      const log = await logOf(to, change);
      expect(replay(log)).toMatchObject({ callId: 'call_of_job_1', whole: true, difference: undefined });
      expect(replay(log).inputs).toBeGreaterThan(0);
      expect(replay(log).effects).toBeGreaterThan(0);
    },
  );

  it('replayed with another threshold, reports the first input with other effects', async () => {
    const log = await logOf('+15005550003', agentBegins);
    const { whole, difference } = replay(withPlan(log, { maxCallMs: 3_000 }));
    expect(whole).toBe(false);
    expect(difference?.at).toBeGreaterThanOrEqual(3_000);
    expect(difference?.added.join()).toContain('"ended_reason":"max_call_duration_reached"');
  });

  it('without its last line, replays and is reported as incomplete', async () => {
    const log = await logOf('+15005550006');
    const cut = log.trimEnd().split('\n').slice(0, -2).join('\n');
    expect(replay(cut)).toMatchObject({ whole: false, difference: undefined });
  });

  it('in a folder is replayed with others, and calls with the same first difference are listed together', async () => {
    const log = await logOf('+15005550003', agentBegins);
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-logs-'));
    const replayed = (): { status: number | null; stdout: string } =>
      spawnSync(process.execPath, [path.join(__dirname, '../../../scripts/replay.mts'), folder], { encoding: 'utf8' });
    try {
      writeFileSync(path.join(folder, 'as_it_was'), log);
      expect(replayed()).toMatchObject({ status: 0, stdout: '0 of 1 calls differ\n' });
      for (const ms of [3_000, 3_500])
        writeFileSync(path.join(folder, `shorter_${ms}`), withPlan(log, { maxCallMs: ms }));
      const { status, stdout } = replayed();
      expect([status, stdout.split('\n')[0]]).toEqual([1, '2 of 3 calls differ']);
      expect(stdout).toMatch(/2 calls, such as shorter_3000, shorter_3500, at \w+\n( {2}[-+] \w+\n)* {2}\+ hang_up\n/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
