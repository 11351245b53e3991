import { replay } from '../src/replay/replay';
import { recordedCall } from './recorded-calls';

it('a call with sound replays to the same effects, whatever fails in it', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const { log, steps } = recordedCall(seed);
    expect({ seed, ...replay(log) }).toMatchObject({ seed, inputs: steps, whole: true, difference: undefined });
  }
});
