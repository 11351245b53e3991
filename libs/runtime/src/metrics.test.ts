import { observeBy, Registry } from './metrics';

describe('observeBy', () => {
  const gauges = { depth: 'Things that wait', age_seconds: 'Age of the oldest' };

  it('reads once for all gauges of a scrape', async () => {
    const registry = new Registry();
    const read = jest.fn(() => Promise.resolve({ depth: 3, age_seconds: 1.5 }));
    observeBy(registry, gauges, read);
    const text = await registry.metrics();
    expect(text).toMatch(/^depth 3$/m);
    expect(text).toMatch(/^age_seconds 1\.5$/m);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('omits its gauges if reading fails, without failing the scrape', async () => {
    const registry = new Registry();
    observeBy(registry, gauges, () => Promise.reject(new Error('away')));
    observeBy(registry, { other: 'Still there' }, () => Promise.resolve({ other: 1 }));
    const text = await registry.metrics();
    expect(text).not.toMatch(/^(depth|age_seconds) /m);
    expect(text).toMatch(/^other 1$/m);
  });
});
