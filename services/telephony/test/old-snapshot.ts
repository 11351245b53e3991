import type { Database, Queryable } from '@parley/runtime';

/** The number of buffers that statements read, and the result of the last one. They are rolled back. */
async function measured<Result>(
  db: Database,
  work: (tx: Queryable) => Promise<Result>,
): Promise<{ buffers: number; result: Result }> {
  const rolledBack = new Error('rolled back');
  let buffers = 0;
  let result: Result | undefined;
  const measuring = db.transaction(async (tx) => {
    result = await work({
      query: async (statement) => {
        const values = [...(statement.values ?? [])];
        // Explained without effect, so that the statement has its own effect only once.
        await tx.query({ text: 'savepoint explained' });
        const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
          text: `explain (analyze, buffers, format json) ${statement.text}`,
          values,
        });
        await tx.query({ text: 'rollback to savepoint explained' });
        const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
        buffers += (plan['Shared Hit Blocks'] ?? Infinity) + (plan['Shared Read Blocks'] ?? Infinity);
        return tx.query({ text: statement.text, values });
      },
    });
    throw rolledBack;
  });
  await measuring.catch((error: unknown) => {
    if (error !== rolledBack) throw error;
  });
  return { buffers, result: result as Result };
}

export const buffersOf = async (db: Database, work: (tx: Queryable) => Promise<unknown>): Promise<number> =>
  (await measured(db, work)).buffers;

/** The least of several attempts, each after one that commits: the first update of an era, or of a full page, also checks the primary key. */
export async function leastBuffersOf(db: Database, work: (tx: Queryable) => Promise<unknown>): Promise<number> {
  const attempts: number[] = [];
  while (attempts.length < 4) {
    await db.transaction(work);
    attempts.push(await buffersOf(db, work));
  }
  return Math.min(...attempts);
}

/** A transaction that holds its snapshot until `work` is done. */
export const withSnapshot = (db: Database, work: () => Promise<void>): Promise<void> =>
  db.transaction(async (snapshot) => {
    await snapshot.query({ text: 'set transaction isolation level repeatable read' });
    await snapshot.query({ text: 'select count(*) from jobs' });
    await work();
  });
