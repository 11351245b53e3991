/** Calls in progress while a service that the engines depend on does not respond. */
import { freeze } from '../freezing/freeze.mts';
import { judged, talk } from './conversation.mts';
import { processesOf, type SipWorld } from './world.mts';

const parts = ['nats', 'gateway', 'postgres'];
/** Milliseconds between the beginnings of two calls. */
const apartMs = 250;
/** Milliseconds after the beginning of the first call, at the latest, by which all calls have had their first exchange. */
const talkedMs = 15_000;

/**
 * Each caller presses its code before, during and after the outage, and has to hear it each time: nothing that the call needs depends on the frozen service.
 */
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
