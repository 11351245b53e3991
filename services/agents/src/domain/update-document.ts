import type { AgentUpdate } from '@parley/contract';
import { badRequest } from '@parley/errors';
import type { AgentDocument } from './agent-document';
import { firstMessageOf } from './aliases';
import { checkLanguage } from './languages';
import { checkKeptSections, freeMetadata } from './metadata';
import type { AgentStatus } from './stored-agent';
import { checkExpectedTools, checkTools } from './tools';

/** The generic update merged into the stored document (section 2.2): fields that are absent stay as they are. */
export function updateDocument(stored: AgentDocument, body: AgentUpdate): AgentDocument {
  checkLanguage('language', body.language);
  if (body.tools !== undefined) checkTools(body.tools);
  if (body.metadata !== undefined) checkKeptSections(body.metadata, stored);
  checkExpectedTools(stored.tools, body);
  return {
    ...stored,
    mode: body.mode ?? stored.mode,
    name: body.name ?? stored.name,
    language: body.language ?? stored.language,
    system_prompt: body.system_prompt ?? stored.system_prompt,
    first_message: firstMessageOf(body) ?? stored.first_message,
    voice: body.voice ?? stored.voice,
    tools: body.tools ?? stored.tools,
    translation: body.translation ?? stored.translation,
    recording_enabled: body.recording_enabled ?? stored.recording_enabled,
    webhook_url: body.webhook_url ?? stored.webhook_url,
    audio_stream_url: body.audio_stream_url ?? stored.audio_stream_url,
    metadata: body.metadata === undefined ? stored.metadata : freeMetadata(body.metadata),
  };
}

/**
 * The status that an update leaves (section 3): between active and inactive by update; any other stored status moves by an
 * operator alone, and only a request that names a status is refused for it.
 */
export function nextStatus(stored: AgentStatus, sent: AgentUpdate['status']): AgentStatus {
  if (sent === undefined) return stored;
  if (stored === 'suspended') throw badRequest('status: the agent is suspended; only an operator reinstates it');
  return sent;
}
