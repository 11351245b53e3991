import { getEventListeners } from 'node:events';
import { pause } from './pause';

describe('pause', () => {
  it('leaves no listener on its signal', async () => {
    const { signal } = new AbortController();
    for (let round = 0; round < 12; round += 1) await pause(1, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it.each([
    ['before it begins', true],
    ['during it', false],
  ])('ends without an error if the signal is aborted %s', async (_, early) => {
    const controller = new AbortController();
    if (early) controller.abort();
    const paused = pause(2_147_483_647, controller.signal);
    controller.abort();
    await expect(paused).resolves.toBeUndefined();
  });
});
