/**
 * The conversations of `talk`, 40 of them concurrently, with the engine and a bare timer on one core and everything else on the other cores. Needs two cores and
 * taskset. From the environment: MEDIA_CORE (default: the last), TALK_QUESTIONS (9 per call, which take 83 s; 66 take ten minutes).
 */
import { allowedCores, stayOn } from '../media/cores.mts';
import type { BenchRow } from '../row.mts';
import { talk } from './talk.mts';

export const bench: BenchRow = {
  title: 'talk-one-core',
  async run() {
    const allowed = allowedCores();
    const engineCore = Number(process.env.MEDIA_CORE ?? allowed.at(-1));
    const others = allowed.filter((one) => one !== engineCore);
    if (others.length === 0 || !allowed.includes(engineCore))
      throw new Error('the engine needs a core, and everything else another');
    stayOn(others);
    try {
      return await talk({ calls: 40, questions: Number(process.env.TALK_QUESTIONS ?? 9), engineCore });
    } finally {
      stayOn(allowed);
    }
  },
};
