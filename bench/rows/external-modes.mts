/**
 * The cost of using a customer's server instead of the model (external_text) or of all audio components (external_audio): the conversations of `talk` in each
 * mode, with servers that are as slow as the simulated providers of a hosted agent. From the environment: EXTERNAL_CALLS (5 concurrent), EXTERNAL_QUESTIONS (6
 * per call).
 */
import { percentile, shown } from '../media/percentiles.mts';
import type { BenchRow, Table } from '../row.mts';
import { modes, talkFigures } from './talk.mts';

const calls = Number(process.env.EXTERNAL_CALLS ?? 5);
const questions = Number(process.env.EXTERNAL_QUESTIONS ?? 6);

async function run(): Promise<Table[]> {
  const tables: Table[] = [];
  const rows: object[] = [];
  let hosted: readonly number[] = [];
  for (const mode of modes) {
    const { times, tables: its } = await talkFigures({ calls, questions, mode });
    tables.push(...its.map((table) => ({ ...table, title: `${mode}: ${table.title}` })));
    if (mode === 'hosted') hosted = times;
    const more = (share: number): string | number => shown(percentile(times, share) - percentile(hosted, share), 0);
    rows.push({
      mode,
      answers: `${times.length} of ${calls * questions}`,
      'p50 ms': shown(percentile(times, 0.5), 0),
      'p95 ms': shown(percentile(times, 0.95), 0),
      'more than hosted, p50 ms': mode === 'hosted' ? '' : more(0.5),
      'more than hosted, p95 ms': mode === 'hosted' ? '' : more(0.95),
    });
  }
  return [{ title: 'question to answer on the line, by mode', rows }, ...tables];
}

export const bench: BenchRow = { title: 'external-modes', run };
