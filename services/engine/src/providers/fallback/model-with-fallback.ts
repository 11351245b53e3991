import { type LanguageModel, type ModelEvent, type ModelRequest, ProviderError } from '@parley/providers';
import { circuitOf, failureOf, usable, type Candidate, type FallbackOptions } from './candidate';
import { Continuation, continued } from './continuation';
import { firstToBegin } from './hedged';

/** A model of the call, with the name and options that the component sets. */
export interface CallModel {
  readonly model: LanguageModel;
  readonly name: string | undefined;
  readonly options: ModelRequest['options'];
}

/**
 * A model with ordered fallbacks. If a model fails before its first word, the next one gets the same request; if it fails later, the next one continues without
 * repeating what was said. Candidates with the same provider and model but another credential are hedges: they are requested too if a response is late.
 */
export function modelWithFallback(
  candidates: readonly Candidate<CallModel>[],
  options: FallbackOptions,
): LanguageModel {
  const { kind, breakers, onIncident } = options;

  async function* generate(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    let said = '';
    const tried = new Set<Candidate<unknown>>();
    const allowed = usable(candidates, options);
    for (;;) {
      const [first, ...others] = allowed.filter((candidate) => !tried.has(candidate));
      if (first === undefined) throw new ProviderError('none', 'unavailable', 'no model can be used');
      const hedge = others.find((other) => isHedgeOf(other, first));
      let begun: Awaited<ReturnType<typeof firstToBegin<ModelEvent>>> | undefined;
      try {
        const asked = (hedge === undefined ? [first] : [first, hedge]).map((candidate) => ({
          ...candidate,
          component: (wanted: AbortSignal) => {
            tried.add(candidate);
            const { model, name, options: own } = candidate.component;
            const messages = said === '' ? request.messages : continued(request.messages, said);
            return model.generate({ ...request, messages, model: name, options: own }, wanted);
          },
        }));
        begun = await firstToBegin(asked, signal, options);
        const continuation = said === '' ? undefined : new Continuation(said);
        try {
          for (let result = begun.first; result.done !== true; result = await begun.rest.next()) {
            const event = result.value;
            if (event.type === 'delta') {
              const text = continuation === undefined ? event.text : continuation.read(event.text);
              said += text;
              if (text !== '') yield { type: 'delta', text };
              continue;
            }
            const rest = continuation?.end() ?? '';
            said += rest;
            if (rest !== '') yield { type: 'delta', text: rest };
            yield event;
          }
          return;
        } finally {
          await begun.rest.return?.(undefined);
        }
      } catch (error) {
        if (!(error instanceof ProviderError) || !error.mayFallBack) throw error;
        // Failures before the first event are already recorded where that event is awaited.
        if (begun !== undefined) breakers.failed(circuitOf(begun.candidate), error);
        const following = allowed.find((candidate) => !tried.has(candidate));
        onIncident(failureOf(kind, error, following?.provider));
        if (following === undefined) throw error;
      }
    }
  }

  return {
    capabilities: {
      tools: candidates.every(({ component }) => component.model.capabilities.tools),
      parallelToolCalls: candidates.every(({ component }) => component.model.capabilities.parallelToolCalls),
    },
    generate,
  };
}

const isHedgeOf = (other: Candidate<CallModel>, first: Candidate<CallModel>): boolean =>
  other.provider === first.provider &&
  other.credentialId !== first.credentialId &&
  other.component.name === first.component.name;
