/** Calls in progress while what is behind the engines answers nothing. */
import { freeze } from '../freezing/freeze.mts';
import { judged, talk } from './conversation.mts';
import { processesOf, type SipWorld } from './world.mts';

const parts = ['nats', 'gateway', 'postgres'];
/** Between two calls that begin. */
const apartMs = 250;
/** From the first call's beginning on, with the first exchange of the last one behind it, at the latest. */
const talkedMs = 15_000;

/** Each caller presses its code before, during and after, and hears it each time: nothing but its own call is needed for that. */
export async function outages(
  world: SipWorld,
  count: number,
  seconds: number,
): Promise<{ rows: object[]; broken: string[] }> {
  const rows: object[] = [];
  const broken: string[] = [];
  for (const [nth, part] of parts.entries()) {
    const begins = talkedMs + count * apartMs;
    const again = [begins + seconds * 500, begins + seconds * 1_000 + 8_000];
    const talking = talk(world, { count, from: 300 + nth * 100, apartMs }, again);
    await talking.exchanged;
    const pids = processesOf(world.platform).flatMap(({ name, pid }) => (name === part ? [pid] : []));
    if (pids.length === 0) throw new Error(`there is no process ${part}`);
    await freeze(pids, seconds);
    const all = await talking.all;
    broken.push(...judged(all).map((one) => `${part} away: ${one}`));
    rows.push({
      away: `${part}, ${seconds} s`,
      calls: count,
      'answered before, during and after': all.filter(({ code, heard }) => code === heard).length,
      'records complete': all.filter(({ record }) => record?.ended_reason === 'caller_hung_up').length,
    });
  }
  return { rows, broken };
}
