import { getEventListeners } from 'node:events';
import { createLogger, createNats } from '@parley/runtime';
import { NatsSignals, armed } from './signals';

const log = createLogger({ service: 'test', level: 'silent' });
/** Signals of a process that is not connected to NATS. */
const signalsOf = (): NatsSignals =>
  new NatsSignals({ nats: createNats({ url: 'nats://127.0.0.1:1', name: 'test', log }), log });

describe('a wait for a signal', () => {
  // Otherwise each wait of a worker would stay in memory: Node keeps a signal made by AbortSignal.any as long as it has a listener.
  it.each<[string, number, (signals: NatsSignals, stopping: AbortController) => void]>([
    ['the signal arrives', 60_000, (signals) => signals.send('worker', 'w1')],
    ['its time is over', 1, () => undefined],
    ['the request ends', 60_000, (_, stopping) => stopping.abort()],
  ])('leaves no listener at the signal of its request when %s', async (_, ms, end) => {
    const signals = signalsOf();
    const stopping = new AbortController();
    const request = AbortSignal.any([stopping.signal]);
    const waiting = armed(signals, 'worker', 'w1');
    const waited = waiting.wait(ms, request);
    expect(getEventListeners(request, 'abort')).toHaveLength(1);
    end(signals, stopping);
    await waited;
    expect(getEventListeners(request, 'abort')).toEqual([]);
    waiting.off();
  });

  it('returns at once if the signal arrived before it began', async () => {
    const signals = signalsOf();
    const waiting = armed(signals, 'call', 'call_1');
    signals.send('call', 'call_1', 'ended');
    await waiting.wait(60_000, new AbortController().signal);
    expect(waiting.taken()).toBe('ended');
    expect(waiting.taken()).toBe('');
    waiting.off();
  });
});
