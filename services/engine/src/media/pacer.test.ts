import { Pacer, type PacerClock } from './pacer';

/** A fake clock whose timers fire when it is advanced; `block` advances it without firing them. */
class ManualClock implements PacerClock {
  private time = 1_000;
  private timers: { at: number; wake: () => void }[] = [];

  now = (): number => this.time;

  wakeAfter(ms: number, wake: () => void): { cancel(): void } {
    const timer = { at: this.time + ms, wake };
    this.timers.push(timer);
    return { cancel: () => (this.timers = this.timers.filter((one) => one !== timer)) };
  }

  block(ms: number): void {
    this.time += ms;
  }

  advance(ms: number): void {
    for (const end = this.time + ms; ;) {
      const [next] = this.timers.sort((a, b) => a.at - b.at);
      if (next === undefined || next.at > end) {
        this.time = end;
        return;
      }
      this.timers.shift();
      this.time = Math.max(this.time, next.at);
      next.wake();
    }
  }
}

let clock: ManualClock;
let steps: [number, number][];
let lateness: number[];
let pacer: Pacer;

beforeEach(() => {
  [clock, steps, lateness] = [new ManualClock(), [], []];
  const begin = clock.now();
  pacer = new Pacer({
    everyMs: 20,
    step: (now, due) => steps.push([now - begin, due]),
    late: (ms) => lateness.push(ms),
    clock,
  });
  pacer.start();
});

describe('the pacer', () => {
  it('steps every 20 ms', () => {
    clock.advance(100);
    expect(steps).toEqual([20, 40, 60, 80, 100].map((at) => [at, 1]));
    expect(lateness).toEqual([0, 0, 0, 0, 0]);
  });

  it('keeps its schedule after a late step', () => {
    clock.advance(20);
    clock.block(27);
    clock.advance(33);
    expect(steps).toEqual([
      [20, 1],
      [47, 1],
      [60, 1],
      [80, 1],
    ]);
    expect(lateness).toEqual([0, 7, 0, 0]);
  });

  it('makes up for missed steps immediately, and reports the lateness of each', () => {
    clock.block(105);
    clock.advance(0);
    expect(steps).toEqual([[105, 5]]);
    expect(lateness).toEqual([85, 65, 45, 25, 5]);
    clock.advance(15);
    expect(steps.at(-1)).toEqual([120, 1]);
  });

  it('does not step once it was stopped', () => {
    clock.advance(20);
    pacer.stop();
    clock.advance(100);
    expect(steps).toHaveLength(1);
  });

  it('continues after a step that throws', () => {
    let thrown = 0;
    const failing = new Pacer({
      everyMs: 20,
      step: () => {
        thrown += 1;
        throw new Error('a step that fails');
      },
      late: () => undefined,
      clock,
    });
    pacer.stop();
    failing.start();
    expect(() => clock.advance(20)).toThrow('a step that fails');
    expect(() => clock.advance(20)).toThrow('a step that fails');
    expect(thrown).toBe(2);
  });
});
