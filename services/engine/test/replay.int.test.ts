import { InputLog } from '../src/replay/input-log';
import { replay } from '../src/replay/replay';
import { conduct } from './conducting';
import type { JobChange } from './jobs';

/** Conducts a call of the simulator, and returns its log. */
async function logOf(to: string, change: JobChange = {}): Promise<string> {
  let log = '';
  const keep = (text: string): void => {
    log = text;
  };
  await conduct(to, change, undefined, undefined, ({ call }) => new InputLog(call.call_id, keep));
  return log;
}

/** Another number in the plan of a log: what a core with that threshold would do. */
function withPlan(log: string, change: Record<string, unknown>): string {
  const [first = '', ...lines] = log.split('\n');
  const header = JSON.parse(first) as { plan: object };
  return [JSON.stringify({ ...header, plan: { ...header.plan, ...change } }), ...lines].join('\n');
}

const everyNumber = Array.from({ length: 9 }, (_, n) => `+1500555000${n}`);
const agentBegins = { effective: { first_speaker: 'agent' } };

describe('the log of a call', () => {
  it.each(everyNumber.flatMap((to) => [[to, {}] as const, [to, agentBegins] as const]))(
    'of %s with %j replays to the effects that the call had',
    async (to, change) => {
      const log = await logOf(to, change);
      expect(replay(log)).toMatchObject({ callId: 'call_of_job_1', whole: true, difference: undefined });
      expect(replay(log).inputs).toBeGreaterThan(0);
      expect(replay(log).effects).toBeGreaterThan(0);
    },
  );

  it('names the first input at which another threshold gives other effects', async () => {
    const log = await logOf('+15005550003', agentBegins);
    const { whole, difference } = replay(withPlan(log, { maxCallMs: 3_000 }));
    expect(whole).toBe(false);
    expect(difference?.at).toBeGreaterThanOrEqual(3_000);
    expect(difference?.added.join()).toContain('"ended_reason":"max_call_duration_reached"');
  });

  it('without its last line replays, and is not whole', async () => {
    const log = await logOf('+15005550006');
    const cut = log.trimEnd().split('\n').slice(0, -2).join('\n');
    expect(replay(cut)).toMatchObject({ whole: false, difference: undefined });
  });
});
