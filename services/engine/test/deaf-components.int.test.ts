import type { Providers } from '../src/providers/provider';
import { conduct } from './conducting';

type Part = keyof Providers;

/** A component that never answers a request, and the signals of those that it was given. */
function deaf(part: Part) {
  const signals: AbortSignal[] = [];
  const never = (signal: AbortSignal): Promise<never> => {
    signals.push(signal);
    return new Promise(() => undefined);
  };
  const deafened = (providers: Providers): Providers => {
    switch (part) {
      case 'transcriber':
        return { ...providers, transcriber: { transcribe: (_audio, _language, signal) => never(signal) } };
      case 'model':
        return { ...providers, model: { reply: (_request, signal) => never(signal) } };
      case 'voice':
        return { ...providers, voice: { synthesize: (_text, _language, signal) => never(signal) } };
    }
  };
  return { signals, deafened };
}

describe('a component that never answers', () => {
  it.each<[Part, string]>([
    // The callee says nothing that is understood, hears the greeting and hangs up before the clock of the model has run out.
    ['transcriber', 'callee_hung_up'],
    ['model', 'agent_unresponsive'],
    ['voice', 'agent_unresponsive'],
  ])('%s: the call ends %s, and no request of it is left', async (part, reason) => {
    const { signals, deafened } = deaf(part);
    const { events } = await conduct('+15005550006', {}, deafened);
    expect(events.at(-1)?.ended_reason).toBe(reason);
    expect(signals.length).toBeGreaterThan(0);
    expect(signals.map(({ aborted }) => aborted)).toEqual(signals.map(() => true));
  });
});
