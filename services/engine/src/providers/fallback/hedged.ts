import { canceled, ProviderError } from '@parley/providers';
import { circuitOf, type Candidate, type FallbackOptions } from './candidate';

/** Maximum and minimum wait for the first response before the second request is sent. */
const latestMs = 250;
const earliestMs = 30;

/** A stream whose first event has arrived. */
interface Begun<Event> {
  readonly candidate: Candidate<unknown>;
  readonly first: IteratorResult<Event>;
  readonly rest: AsyncIterator<Event>;
}

/**
 * Sends a request to the first candidate and, if the response is late, also to the second one, which is the same provider with another credential. The first
 * stream to begin is used; the other request is aborted. If one fails, the other continues.
 * @throws ProviderError if all failed before their first event
 */
export async function firstToBegin<Event>(
  candidates: readonly Candidate<(signal: AbortSignal) => AsyncIterable<Event>>[],
  signal: AbortSignal,
  { kind, breakers, onIncident, now = () => performance.now() }: FallbackOptions,
): Promise<Begun<Event>> {
  const [first, second] = candidates;
  if (first === undefined) throw new ProviderError('none', 'unavailable', 'no provider can be used');
  const controllers: AbortController[] = [];
  let begun = false;
  const start = async (candidate: typeof first): Promise<Begun<Event>> => {
    const controller = new AbortController();
    controllers.push(controller);
    const began = now();
    breakers.asked(circuitOf(candidate));
    const rest = candidate.component(AbortSignal.any([signal, controller.signal]))[Symbol.asyncIterator]();
    try {
      const event = await rest.next();
      breakers.succeeded(circuitOf(candidate), now() - began);
      if (begun) {
        controller.abort();
        throw canceled(candidate.provider);
      }
      begun = true;
      for (const other of controllers) if (other !== controller) other.abort();
      return { candidate, first: event, rest };
    } catch (error) {
      if (error instanceof ProviderError) breakers.failed(circuitOf(candidate), error);
      throw error;
    }
  };
  if (second === undefined) return start(first);
  const waitMs = Math.min(latestMs, Math.max(earliestMs, breakers.usualWaitMs(circuitOf(first)) ?? latestMs));
  let timer: NodeJS.Timeout | undefined;
  const one = start(first);
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), waitMs)));
  const outcome = await Promise.race([one.catch((error: unknown) => ({ error })), late]).finally(() =>
    clearTimeout(timer),
  );
  if (outcome !== 'late') {
    if (!('error' in outcome)) return outcome;
    throw outcome.error;
  }
  onIncident({ code: 'provider_hedged', detail: `${kind}: ${first.provider} was slow and got two requests` });
  try {
    return await Promise.any([one, start(second)]);
  } catch (error) {
    // The error of the first request, because the second one may only have been aborted.
    throw error instanceof AggregateError ? (error.errors[0] as Error) : error;
  }
}
