import { Batches } from './batches';

const refusal = (): Error => new Error('full');
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Two batches at once, of three questions, five of which may wait; the test answers them. */
function world() {
  const asked: (readonly number[])[] = [];
  const open: { answer: (answers: number[]) => void; fail: (error: Error) => void }[] = [];
  const batches = new Batches<number, number>(
    (questions) => {
      asked.push(questions);
      return new Promise((answer, fail) => open.push({ answer, fail }));
    },
    { width: 2, size: 3, capacity: 5 },
  );
  const run = (question: number) => batches.run(question, refusal);
  const answer = async (batch: number) => {
    open[batch]?.answer((asked[batch] ?? []).map((question) => question * 10));
    await turn();
  };
  return { asked, open, run, answer };
}

it('asks at once while few batches are under way; who comes later waits for the next one, in order', async () => {
  const { asked, run, answer } = world();
  const pending = [1, 2, 3, 4, 5, 6, 7].map(run);
  expect(asked).toEqual([[1], [2]]);
  await answer(1);
  expect(asked).toEqual([[1], [2], [3, 4, 5]]);
  await answer(0);
  expect(asked.slice(3)).toEqual([[6, 7]]);
  await answer(2);
  await answer(3);
  expect(await Promise.all(pending)).toEqual([10, 20, 30, 40, 50, 60, 70]);
});

it('refuses who would wait too many, and takes others as soon as a batch has left', async () => {
  const { run, answer } = world();
  const pending = [1, 2, 3, 4, 5, 6, 7].map(run);
  await expect(run(8)).rejects.toThrow('full');
  await answer(0);
  pending.push(run(9));
  for (const batch of [1, 2, 3, 4]) await answer(batch);
  expect(await Promise.all(pending)).toEqual([10, 20, 30, 40, 50, 60, 70, 90]);
});

it('what a batch throws reaches each of it and nobody else', async () => {
  const { run, open, answer } = world();
  const [first, second, third, fourth] = [1, 2, 3, 4].map(run);
  const failed = Promise.allSettled([third, fourth]);
  await answer(0);
  open[2]?.fail(new Error('away'));
  await turn();
  await answer(1);
  expect(await Promise.all([first, second])).toEqual([10, 20]);
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const later = run(5);
  await answer(3);
  expect(await later).toBe(50);
});
