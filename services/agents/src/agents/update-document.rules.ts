import type { AgentUpdate } from '@parley/contract';
import { invalidField } from '@parley/errors';
import type { AgentDocument } from './agent-document.rules';
import { firstMessageOf } from './aliases.rules';
import { checkAnswers } from './answers-messages.rules';
import { checkComponentOptions } from './component-options.rules';
import { checkLanguage, primaryLanguageAfter } from './languages.rules';
import { checkKeptSections, freeMetadata } from './metadata.rules';
import type { AgentStatus } from './stored-agent.rules';
import { checkExpectedTools } from './tools.rules';

/** Merges a generic update into the stored document (docs/reference/agents.md#update): absent fields are unchanged, null clears. The tools have been checked before. */
export function updateDocument(stored: AgentDocument, body: AgentUpdate): AgentDocument {
  checkLanguage('language', body.language);
  checkLanguage('translation.target_language', body.translation?.target_language);
  if (body.metadata !== undefined) checkKeptSections(body.metadata, stored);
  checkComponentOptions({ voice: body.voice }, stored);
  checkExpectedTools(stored.tools, body);
  const updated: AgentDocument = {
    ...stored,
    mode: body.mode ?? stored.mode,
    name: cleared(stored.name, body.name),
    language: primaryLanguageAfter({ ...stored, language: cleared(stored.language, body.language) }, body.language),
    system_prompt: cleared(stored.system_prompt, body.system_prompt),
    first_message: cleared(stored.first_message, firstMessageOf(body)),
    voice: cleared(stored.voice, body.voice),
    tools: body.tools ?? stored.tools,
    translation: cleared(stored.translation, body.translation),
    recording_enabled: body.recording_enabled ?? stored.recording_enabled,
    answers_messages: body.answers_messages ?? stored.answers_messages,
    webhook_url: cleared(stored.webhook_url, body.webhook_url),
    audio_stream_url: cleared(stored.audio_stream_url, body.audio_stream_url),
    metadata: body.metadata === undefined ? stored.metadata : freeMetadata(body.metadata),
  };
  checkAnswers(updated);
  return updated;
}

/**
 * The status after an update (docs/reference/agents.md#status). An update switches between active and inactive. Only an operator changes any other status, so
 * then an update that sets a status is refused.
 */
export function nextStatus(stored: AgentStatus, sent: AgentUpdate['status']): AgentStatus {
  if (sent === undefined) return stored;
  if (stored === 'suspended')
    throw invalidField(
      'status',
      'not_allowed',
      'cannot be set while the agent is suspended: only an operator can reinstate it',
    );
  return sent;
}

/** The value of a field after a write: if the field is absent in the write the stored value stays, null clears it, any other value replaces it. */
export const cleared = <T>(stored: T | undefined, sent: T | null | undefined): T | undefined =>
  sent === undefined ? stored : (sent ?? undefined);
