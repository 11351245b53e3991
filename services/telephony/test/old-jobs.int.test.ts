import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { createJobPruner } from '../src/books/queue/pruners';
import { claimOne, complete, place, read, report } from './test-caller';
import { WorkerJobs } from './worker-jobs';

describe('the pruner of finished jobs', () => {
  const workers = WorkerJobs.ofFile();
  const ended = { type: 'ended', ended_reason: 'callee_hung_up' };

  /** Gives a finished job an id and an end of this many days ago. */
  async function aged(callId: string, days: number, finishedDays: number | null = days): Promise<void> {
    await workers.under.db.query({
      text: `update jobs set finished_at = now() - make_interval(days => $3),
               job_id = overlay(ring_id_at('job', now() - make_interval(days => $2)) placing right(job_id, 16) from 15)
             where call_id = $1`,
      values: [callId, days, finishedDays],
    });
  }
  const jobsOf = async (...callIds: string[]): Promise<string[]> => {
    const { rows } = await workers.under.db.query<{ call_id: string }>({
      text: 'select call_id from jobs where call_id = any($1::text[]) order by call_id',
      values: [callIds],
    });
    return rows.map(({ call_id: callId }) => callId);
  };

  it('deletes jobs that finished more than nine days ago, and keeps younger ones, waiting ones and all calls', async () => {
    const agent = await workers.agentWithNumber();
    const done = async (): Promise<string> => {
      const { call } = await place(workers.telephony, agent);
      const job = await claimOne(workers.telephony);
      await report(workers.telephony, job, 1, 'dialing', 'answered', ended);
      await complete(workers.telephony, job);
      return call.call_id;
    };
    const [old, young, late] = [await done(), await done(), await done()];
    const waiting = (await place(workers.telephony, agent)).call.call_id;
    await aged(old, 10);
    await aged(young, 8);
    await aged(late, 10, 8);
    await aged(waiting, 10, null);
    const pruner = createJobPruner(workers.under.db, createLogger({ service: 'test', level: 'silent' }));
    await pruner.start();
    try {
      await eventually(async () => ((await jobsOf(old)).length === 0 ? true : undefined));
    } finally {
      await pruner.stop();
    }
    expect(await jobsOf(old, young, late, waiting)).toEqual([young, late, waiting].sort());
    expect((await read(workers.telephony, agent, old)).status).toBe('completed');
  });
});
