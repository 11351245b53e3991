import { Turns, type Settled } from './turns';

interface Work {
  readonly name: string;
  readonly bytes?: number;
}

/** Turns whose runs end when the test says so. */
function controlled(options: { mostItems?: number; mostBytes?: number; mostWaiting?: number } = {}) {
  const runs: { key: string; names: string[]; end(outcomes?: Settled<string>[]): void; fail(error: Error): void }[] =
    [];
  const turns = new Turns<Work, string>({
    run: (key, items) =>
      new Promise((resolve, reject) => {
        const names = items.map(({ name }) => name);
        const end = (outcomes: Settled<string>[] = names.map((value) => ({ value }))) => resolve(outcomes);
        runs.push({ key, names, end, fail: reject });
      }),
    bytesOf: ({ bytes = 1 }) => bytes,
    ...options,
  });
  return { turns, runs };
}

/** Everything that can go on has gone on. */
const settled = async (): Promise<void> => {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('turns', () => {
  it('take all who wait together, in their order, one turn at a time', async () => {
    const { turns, runs } = controlled();
    const first = [turns.submit('a', { name: '1' }), turns.submit('a', { name: '2' })];
    await settled();
    const later = [turns.submit('a', { name: '3' }), turns.submit('a', { name: '4' })];
    await settled();
    expect(runs.map(({ names }) => names)).toEqual([['1', '2']]);
    runs[0]?.end();
    expect(await Promise.all(first)).toEqual(['1', '2']);
    await settled();
    expect(runs.map(({ names }) => names)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    runs[1]?.end();
    expect(await Promise.all(later)).toEqual(['3', '4']);
  });

  it('keys do not wait for each other', async () => {
    const { turns, runs } = controlled();
    const slow = turns.submit('a', { name: 'slow' });
    const quick = turns.submit('b', { name: 'quick' });
    await settled();
    runs.find(({ key }) => key === 'b')?.end();
    expect(await quick).toBe('quick');
    runs.find(({ key }) => key === 'a')?.end();
    expect(await slow).toBe('slow');
  });

  it('bound a turn by items and by bytes; one that is heavier than a turn goes alone', async () => {
    const { turns, runs } = controlled({ mostItems: 2, mostBytes: 10 });
    const all = [1, 1, 6, 5, 50].map((bytes, place) => turns.submit('a', { name: String(place), bytes }));
    for (let turn = 0; turn < 4; turn += 1) {
      await settled();
      runs[turn]?.end();
    }
    await Promise.all(all);
    expect(runs.map(({ names }) => names)).toEqual([['0', '1'], ['2'], ['3'], ['4']]);
  });

  it('one that is refused leaves its neighbours alone; what a run throws goes to all of its turn and to no other', async () => {
    const { turns, runs } = controlled();
    const first = [turns.submit('a', { name: '1' }), turns.submit('a', { name: '2' })];
    await settled();
    const second = [turns.submit('a', { name: '3' }), turns.submit('a', { name: '4' })];
    runs[0]?.end([{ error: new Error('no') }, { value: 'yes' }]);
    await expect(first[0]).rejects.toThrow('no');
    expect(await first[1]).toBe('yes');
    await settled();
    const third = turns.submit('a', { name: '5' });
    runs[1]?.fail(new Error('broken'));
    const failures = await Promise.allSettled(second);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await settled();
    runs[2]?.end();
    expect(await third).toBe('5');
  });

  it('refuse with 503 who would make too many wait', async () => {
    const { turns, runs } = controlled({ mostWaiting: 2 });
    const running = turns.submit('a', { name: 'running' });
    await settled();
    const waiting = [turns.submit('a', { name: '1' }), turns.submit('a', { name: '2' })];
    await expect(turns.submit('a', { name: '3' })).rejects.toMatchObject({ status: 503 });
    runs[0]?.end();
    await settled();
    runs[1]?.end();
    expect(await Promise.all([running, ...waiting])).toEqual(['running', '1', '2']);
  });
});
