import { longestWaits } from '../src/core/waits';
import { replay } from '../src/replay/replay';
import { recordedCall } from './recorded-calls';

const seeds = Array.from({ length: 60 }, (_, n) => n + 1);

afterEach(() => jest.restoreAllMocks());

it('a call with sound replays to the same effects, whatever fails in it', () => {
  for (const seed of seeds) {
    const { log, steps } = recordedCall(seed);
    expect({ seed, ...replay(log) }).toMatchObject({ seed, inputs: steps, whole: true, difference: undefined });
  }
});

it('names the first input at which the core with another threshold does something else', () => {
  const logs = seeds.map((seed) => recordedCall(seed).log);
  jest.replaceProperty(longestWaits, 'firstAudio', 1 as never);
  const differences = logs.flatMap((log) => replay(log).difference ?? []);
  expect(differences.length).toBeGreaterThan(0);
  expect(differences.every(({ missing, added }) => missing.length + added.length > 0)).toBe(true);
  expect(differences.some(({ added }) => added.join().includes('"type":"stop_utterance"'))).toBe(true);
});
