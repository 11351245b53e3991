/**
 * The conversations of `talk`, 40 of them concurrently for a minute, with the engine and a bare timer on one core. Needs taskset. From the environment:
 * MEDIA_CORE (default: the last).
 */
import type { BenchRow } from '../row.mts';
import { talk } from './talk.mts';

export const bench: BenchRow = {
  title: 'talk-one-core',
  run: () => talk({ calls: 40, questions: 9, oneCore: true }),
};
