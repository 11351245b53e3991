import type { CallInput } from '../core/inputs';
import { wordsUpTo } from '../core/recognition';
import type { CallState } from '../core/state';
import { turnFinished } from '../listening/turn-detector';
import { turnModel } from '../listening/turn-model';

/** Adds to a result of the transcriber how probable it is that the caller has finished with it, so that the input log has what the core decides by. */
export function judgeTurn(state: CallState, input: CallInput): CallInput {
  if (input.type !== 'partial' && input.type !== 'final') return input;
  const text = wordsUpTo(state, input);
  if (text === undefined) return input;
  const judged = turnFinished(turnModel(), { text, language: state.language });
  return judged === undefined ? input : { ...input, judged };
}
