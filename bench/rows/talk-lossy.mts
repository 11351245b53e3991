/** The conversations of `talk` over lines with packet loss and stalls, as TCP delivers them: no call may end and no turn may be interrupted because of that. */
import type { BenchRow } from '../row.mts';
import { talk } from './talk.mts';

export const bench: BenchRow = { title: 'talk-lossy', run: () => talk({ calls: 20, questions: 6, lossy: true }) };
