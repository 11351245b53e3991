import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lookUp, turnFeatures } from './turn-features';
import { turnModelFile } from './turn-model';
import { decodeModel, encodeModel, scoreOf } from './turn-weights';

const words = ['book', 'a', 'table'];
const lexicon = new Map([[7, { common: true, coarse: 3, fine: 199 }]]);
const features = [...new Set(turnFeatures(lookUp(words, lexicon)))];
const model = {
  lexicon,
  scale: 0.25,
  weights: new Map(features.map((hash, nth) => [hash, (nth % 255) - 127 || 1] as const)),
};
const file = encodeModel(model);

describe('the file of the turn detector', () => {
  it('gives the same scores after it was written and read', () => {
    const read = decodeModel(file);
    expect([...read.lexicon]).toEqual([...lexicon]);
    expect(scoreOf(words, read)).toBe(scoreOf(words, model));
    expect(scoreOf(words, read)).not.toBe(0);
    for (const [hash, weight] of model.weights) {
      expect(read.weights.get(hash)).toBe(weight);
      expect(read.weights.get((hash ^ 1) >>> 0)).toBe(model.weights.get((hash ^ 1) >>> 0));
    }
  });

  it.each([
    ['of another kind', Buffer.from('another file that is long enough')],
    ['that is empty', Buffer.alloc(0)],
    ['that was cut off', file.subarray(0, -1)],
    ['whose buckets have another size', Buffer.concat([file.subarray(0, 24), Buffer.of(9), file.subarray(25)])],
  ])('is refused if it is one %s', (_, other) => {
    expect(() => decodeModel(other)).toThrow();
  });

  it('is smaller than 1 MB, and the one that its README describes', () => {
    const shipped = readFileSync(turnModelFile);
    expect(shipped.length).toBeLessThan(1_000_000);
    const readme = readFileSync(path.join(path.dirname(turnModelFile), 'README.md'), 'utf8');
    expect(readme).toContain(createHash('sha256').update(shipped).digest('hex'));
  });
});
