/**
 * The conversations of `talk`, 40 of them concurrently, with the engine and a bare timer on one core. Needs taskset. From the environment: MEDIA_CORE (default:
 * the last), TALK_QUESTIONS (9 per call, which take 83 s; 66 take ten minutes).
 */
import type { BenchRow } from '../row.mts';
import { talk } from './talk.mts';

export const bench: BenchRow = {
  title: 'talk-one-core',
  run: () => talk({ calls: 40, questions: Number(process.env.TALK_QUESTIONS ?? 9), oneCore: true }),
};
