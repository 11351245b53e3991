import { VirtualClock } from '../../test/virtual-clock';
import { attempt, AttemptAbandoned } from './attempt';

/** A component that never answers, and what it was given. */
function deaf() {
  const signals: AbortSignal[] = [];
  const ask = (signal: AbortSignal): Promise<string> => {
    signals.push(signal);
    return new Promise(() => undefined);
  };
  return { ask, signals };
}

const wanted = () => new AbortController();

describe('an attempt of a component', () => {
  it('gives what the component gives, and leaves no timer', async () => {
    const clock = new VirtualClock();
    const given = attempt({ clock, longestMs: 100, wanted: wanted().signal }, () => Promise.resolve('x'));
    await expect(given).resolves.toBe('x');
    expect(clock.pending).toBe(0);
  });

  it('fails as the component fails, and leaves no timer', async () => {
    const clock = new VirtualClock();
    const error = new Error('x');
    const given = attempt({ clock, longestMs: 100, wanted: wanted().signal }, () => Promise.reject(error));
    await expect(given).rejects.toBe(error);
    expect(clock.pending).toBe(0);
  });

  it('is abandoned after so long, and its signal aborts', async () => {
    const clock = new VirtualClock();
    const { ask, signals } = deaf();
    let reason: unknown;
    attempt({ clock, longestMs: 100, wanted: wanted().signal }, ask).catch((error: unknown) => (reason = error));
    expect(signals[0]?.aborted).toBe(false);
    await clock.runUntil(() => reason !== undefined);
    expect(clock.now()).toBe(100);
    expect(reason).toEqual(new AttemptAbandoned('took too long'));
    expect(signals[0]?.aborted).toBe(true);
  });

  it('is abandoned when it is not wanted any more, and its signal aborts', async () => {
    const clock = new VirtualClock();
    const { ask, signals } = deaf();
    const want = wanted();
    const given = attempt({ clock, longestMs: 100, wanted: want.signal }, ask);
    want.abort();
    await expect(given).rejects.toEqual(new AttemptAbandoned('not wanted any more'));
    expect([signals[0]?.aborted, clock.pending]).toEqual([true, 0]);
  });

  it('is not begun where it is not wanted', async () => {
    const { ask, signals } = deaf();
    const want = wanted();
    want.abort();
    const given = attempt({ clock: new VirtualClock(), longestMs: 100, wanted: want.signal }, ask);
    await expect(given).rejects.toEqual(new AttemptAbandoned('not wanted any more'));
    expect(signals).toEqual([]);
  });
});
