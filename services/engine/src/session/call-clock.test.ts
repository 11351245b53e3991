import { InstantClock } from './call-clock';

/** A fake real-time clock, advanced by the test. */
class RealTime {
  ms = 1_000;
  readonly monotonicMs = (): number => this.ms;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('the simulated clock of a call', () => {
  it('runs timers in order at their exact times, without waiting', async () => {
    const clock = new InstantClock(new RealTime());
    const seen: [string, number][] = [];
    const done = Promise.withResolvers<undefined>();
    const note = (name: string) => () => void seen.push([name, clock.now()]);
    clock.after(3_600_000, () => {
      note('an hour')();
      done.resolve(undefined);
    });
    clock.after(20, () => {
      note('first')();
      clock.after(5, note('asked for later'));
    });
    clock.after(20, note('second'));
    await done.promise;
    expect(seen).toEqual([
      ['first', 20],
      ['second', 20],
      ['asked for later', 25],
      ['an hour', 3_600_000],
    ]);
  });

  it('lets pending promises settle before it advances', async () => {
    const clock = new InstantClock(new RealTime());
    const seen: number[] = [];
    const done = Promise.withResolvers<undefined>();
    clock.after(10, () => {
      Promise.resolve()
        .then(() => clock.after(1, () => seen.push(clock.now())))
        .catch(done.reject);
    });
    clock.after(100, () => {
      seen.push(clock.now());
      done.resolve(undefined);
    });
    await done.promise;
    expect(seen).toEqual([11, 100]);
  });

  it('does not run canceled timers', async () => {
    const clock = new InstantClock(new RealTime());
    const ran: string[] = [];
    const takeBack = clock.after(10, () => ran.push('taken back'));
    takeBack();
    await new Promise<void>((resolve) => clock.after(20, resolve));
    expect(ran).toEqual([]);
  });

  it('runs in real time while it is held, then advances instantly again', async () => {
    const real = new RealTime();
    const clock = new InstantClock(real);
    const seen: number[] = [];
    const release = clock.hold();
    clock.after(60_000, () => seen.push(clock.now()));
    await turn();
    expect([clock.now(), seen]).toEqual([0, []]);
    real.ms += 700;
    expect(clock.now()).toBe(700);
    release();
    release();
    await turn();
    expect(seen).toEqual([60_000]);
  });

  it('is held until every hold was released', async () => {
    const real = new RealTime();
    const clock = new InstantClock(real);
    const seen: number[] = [];
    const [first, second] = [clock.hold(), clock.hold()];
    clock.after(60_000, () => seen.push(clock.now()));
    first();
    await turn();
    expect(seen).toEqual([]);
    second();
    await turn();
    expect(seen).toEqual([60_000]);
  });
});
