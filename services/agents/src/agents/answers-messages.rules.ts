import { invalidField } from '@parley/errors';
import type { AgentDocument } from './agent-document.rules';

/** @throws BadRequestError if an agent in mode external_audio, which handles only audio, is configured to answer messages */
export function checkAnswers({ mode, answers_messages: answers }: AgentDocument): void {
  if (answers !== true || mode !== 'external_audio') return;
  throw invalidField('answers_messages', 'not_allowed', 'cannot be enabled in the mode external_audio');
}
