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

/** How often a model without a fallback is asked to continue a reply in which it failed. */
const mostContinued = 2;

/**
 * A model with ordered fallbacks. If a model fails before its first word, the next one gets the same request; if it fails later, the next one continues without
 * repeating what was said, or the same one if there is no other. Candidates with the same provider and model but another credential are hedges: they are requested too if a response is late.
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
    let filteredBy: string | undefined;
    let continuations = 0;
    const untried = (): Candidate<CallModel>[] =>
      allowed.filter((candidate) => !tried.has(candidate) && candidate.provider !== filteredBy);
    for (;;) {
      const [first, ...others] = untried();
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
        let calls = 0;
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
            if (event.type === 'tool_call') calls += 1;
            else if (said.trim() === '' && calls === 0) throw withoutContent(begun.candidate.provider, event);
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
        // The same conversation is never sent to a content filter twice.
        if (error.code === 'content_filtered') filteredBy = first.provider;
        else if (said !== '' && untried().length === 0 && continuations < mostContinued) {
          continuations += 1;
          tried.delete(first);
        }
        const [following] = untried();
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

const withoutContent = (provider: string, { finishReason }: Extract<ModelEvent, { type: 'done' }>): ProviderError =>
  finishReason === 'content_filter'
    ? new ProviderError(provider, 'content_filtered', 'filtered the whole answer')
    : new ProviderError(provider, 'empty_answer', 'answered without text and without tool calls');

const isHedgeOf = (other: Candidate<CallModel>, first: Candidate<CallModel>): boolean =>
  other.provider === first.provider &&
  other.credentialId !== first.credentialId &&
  other.component.name === first.component.name;
