import { Random } from '../../test/random';
import { Correlator } from './correlation';

it.each([
  [1, 1],
  [1, 2],
  [3, 8],
  [7, 9],
  [512, 1_912],
])('the correlation of %i samples with %i samples equals the sum of products at every offset', (few, many) => {
  const random = new Random(few * 1_000 + many);
  const [short, long] = [few, many].map((length) => Float32Array.from({ length }, () => random.next() - 0.5)) as [
    Float32Array,
    Float32Array,
  ];
  const correlator = new Correlator(many);
  for (let time = 0; time < 2; time += 1) {
    const found = correlator.correlate(short, long);
    expect(found).toHaveLength(many - few + 1);
    found.forEach((value, place) => {
      const expected = short.reduce((sum, sample, n) => sum + sample * (long[place + n] as number), 0);
      expect(value).toBeCloseTo(expected, 5);
    });
  }
});
