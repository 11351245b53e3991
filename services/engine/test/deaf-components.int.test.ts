import type { StreamingAdapter } from '@parley/providers';
import { runCall } from './running-calls';

it('a call whose model never answers ends with agent_unresponsive, and all its requests are aborted', async () => {
  const signals: AbortSignal[] = [];
  const deaf: StreamingAdapter = {
    name: 'deaf',
    requiresKey: false,
    model: () => ({
      capabilities: { tools: true, parallelToolCalls: true },
      async *generate(_, signal) {
        signals.push(signal);
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
        yield { type: 'done', finishReason: 'stop' };
      },
    }),
  };
  const change = {
    publication: { model: { provider: 'deaf', model: 'x' } },
    effective: { voice_polish: { model_unresponsive: { seconds: 5 } } },
  };
  const { events } = await runCall('+15005550006', change, [deaf]);
  expect(events.at(-1)).toMatchObject({ ended_reason: 'agent_unresponsive', reason_detail: 'model_unresponsive' });
  expect(signals.length).toBeGreaterThan(0);
  expect(signals.map(({ aborted }) => aborted)).toEqual(signals.map(() => true));
});
