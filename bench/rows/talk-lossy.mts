/** The conversations of `talk` over lines that lose packets and stall, as TCP makes of it: no call may end by that, and nothing be cut short. */
import type { BenchRow } from '../row.mts';
import { talk } from './talk.mts';

export const bench: BenchRow = { title: 'talk-lossy', run: () => talk({ calls: 20, questions: 6, lossy: true }) };
