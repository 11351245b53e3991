import { Batcher, type BatcherOptions, type Settled } from './batcher';

interface Work {
  readonly name: string;
  readonly bytes?: number;
}

/** A batcher whose runs the test completes. */
function controlled(options: Omit<BatcherOptions<Work, string>, 'run'> = {}) {
  const runs: { key: string; names: string[]; end(outcomes?: Settled<string>[]): void; fail(error: Error): void }[] =
    [];
  const batcher = new Batcher<Work, string>({
    run: (key, items) =>
      new Promise((resolve, reject) => {
        const names = items.map(({ name }) => name);
        const end = (outcomes: Settled<string>[] = names.map((value) => ({ value }))) => resolve(outcomes);
        runs.push({ key, names, end, fail: reject });
      }),
    bytesOf: ({ bytes = 1 }) => bytes,
    ...options,
  });
  return { batcher, runs };
}

/** Waits until everything that can proceed has proceeded. */
const settled = async (): Promise<void> => {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('Batcher', () => {
  it('runs everything that waits under a key as one batch, in order, one batch at a time', async () => {
    const { batcher, runs } = controlled();
    const first = [batcher.submit('a', { name: '1' }), batcher.submit('a', { name: '2' })];
    await settled();
    const later = [batcher.submit('a', { name: '3' }), batcher.submit('a', { name: '4' })];
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

  it('starts within the event-loop tick with collects: moment', async () => {
    const { batcher, runs } = controlled({ collects: 'moment' });
    const both = [batcher.submit('a', { name: '1' }), Promise.resolve().then(() => batcher.submit('a', { name: '2' }))];
    // A callback queued within a tick runs after those queued before it.
    await new Promise<void>((resolve) => process.nextTick(() => queueMicrotask(resolve)));
    expect(runs.map(({ names }) => names)).toEqual([['1', '2']]);
    runs[0]?.end();
    expect(await Promise.all(both)).toEqual(['1', '2']);
  });

  it('keys do not wait for each other', async () => {
    const { batcher, runs } = controlled();
    const slow = batcher.submit('a', { name: 'slow' });
    const quick = batcher.submit('b', { name: 'quick' });
    await settled();
    runs.find(({ key }) => key === 'b')?.end();
    expect(await quick).toBe('quick');
    runs.find(({ key }) => key === 'a')?.end();
    expect(await slow).toBe('slow');
  });

  it('limits a batch by items and bytes; an item above the byte limit has its own batch', async () => {
    const { batcher, runs } = controlled({ mostItems: 2, mostBytes: 10 });
    const all = [1, 1, 6, 5, 50].map((bytes, place) => batcher.submit('a', { name: String(place), bytes }));
    for (let batch = 0; batch < 4; batch += 1) {
      await settled();
      runs[batch]?.end();
    }
    await Promise.all(all);
    expect(runs.map(({ names }) => names)).toEqual([['0', '1'], ['2'], ['3'], ['4']]);
  });

  it('can reject single items; an error of a run rejects the items of its batch only', async () => {
    const { batcher, runs } = controlled();
    const first = [batcher.submit('a', { name: '1' }), batcher.submit('a', { name: '2' })];
    await settled();
    const second = [batcher.submit('a', { name: '3' }), batcher.submit('a', { name: '4' })];
    runs[0]?.end([{ error: new Error('no') }, { value: 'yes' }]);
    await expect(first[0]).rejects.toThrow('no');
    expect(await first[1]).toBe('yes');
    await settled();
    const third = batcher.submit('a', { name: '5' });
    runs[1]?.fail(new Error('broken'));
    const failures = await Promise.allSettled(second);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await settled();
    runs[2]?.end();
    expect(await third).toBe('5');
  });

  it('rejects with 503 if too many items are waiting', async () => {
    const { batcher, runs } = controlled({ mostWaiting: 2 });
    const running = batcher.submit('a', { name: 'running' });
    await settled();
    const waiting = [batcher.submit('a', { name: '1' }), batcher.submit('a', { name: '2' })];
    await expect(batcher.submit('a', { name: '3' })).rejects.toMatchObject({ status: 503 });
    runs[0]?.end();
    await settled();
    runs[1]?.end();
    expect(await Promise.all([running, ...waiting])).toEqual(['running', '1', '2']);
  });

  it('rejects with the given error, only while the limit is reached', async () => {
    const { batcher, runs } = controlled({ mostWaiting: 1, refusal: () => new Error('full') });
    const running = batcher.submit('a', { name: 'running' });
    await settled();
    const waiting = batcher.submit('a', { name: '1' });
    await expect(batcher.submit('a', { name: '2' })).rejects.toThrow('full');
    runs[0]?.end();
    await settled();
    const next = batcher.submit('a', { name: '3' });
    runs[1]?.end();
    await settled();
    runs[2]?.end();
    expect(await Promise.all([running, waiting, next])).toEqual(['running', '1', '3']);
  });

  it('runs up to `concurrency` batches of a key concurrently, and the next when one ends', async () => {
    const { batcher, runs } = controlled({ concurrency: 2, mostItems: 2 });
    const all = ['1', '2', '3', '4', '5', '6'].map((name) => batcher.submit('a', { name }));
    await settled();
    expect(runs.map(({ names }) => names)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    runs[1]?.end();
    await settled();
    expect(runs[2]?.names).toEqual(['5', '6']);
    runs[0]?.end();
    runs[2]?.end();
    expect(await Promise.all(all)).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('idle() resolves when nothing is waiting or running, including later items', async () => {
    const { batcher, runs } = controlled();
    await batcher.idle();
    let idle = false;
    const first = batcher.submit('a', { name: '1' });
    const waiting = batcher.idle().then(() => (idle = true));
    await settled();
    const second = batcher.submit('a', { name: '2' });
    runs[0]?.end();
    await settled();
    expect(idle).toBe(false);
    runs[1]?.end();
    await waiting;
    expect([idle, await first, await second]).toEqual([true, '1', '2']);
  });
});
