import { longestWaits } from '../src/core/waits';
import { replay } from './replay/replay';
import { recordedCall } from './recorded-calls';

const seeds = Array.from({ length: 60 }, (_, n) => n + 1);

afterEach(() => jest.restoreAllMocks());

it('the log of a call with audio replays to the same effects, for any failures during the call', () => {
  for (const seed of seeds) {
    const { log, steps } = recordedCall(seed);
    expect({ seed, ...replay(log) }).toMatchObject({ seed, inputs: steps, whole: true, difference: undefined });
  }
});

it('a replay with a changed threshold reports the first input whose effects differ', () => {
  const logs = seeds.map((seed) => recordedCall(seed).log);
  jest.replaceProperty(longestWaits, 'firstAudio', 1 as never);
  const differences = logs.flatMap((log) => replay(log).difference ?? []);
  expect(differences.length).toBeGreaterThan(0);
  expect(differences.every(({ missing, added }) => missing.length + added.length > 0)).toBe(true);
  expect(differences.some(({ added }) => added.join().includes('"type":"stop_utterance"'))).toBe(true);
});
