import { invalidField } from '@parley/errors';
import type { AgentDocument } from './agent-document.rules';

/** @throws BadRequestError for an agent that shall answer messages and has no text: the mode external_audio has sound alone */
export function checkAnswers({ mode, answers_messages: answers }: AgentDocument): void {
  if (answers !== true || mode !== 'external_audio') return;
  throw invalidField('answers_messages', 'not_allowed', 'cannot be switched on in the mode external_audio');
}
