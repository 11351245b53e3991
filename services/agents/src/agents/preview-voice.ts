import type { VoicePreviewCreate } from '@parley/contract';
import { forbidden, invalidField, notFound } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { findForChange } from './read-agent.sql';
import { checkLanguage } from './languages.rules';
import type { StoredAgent } from './stored-agent.rules';
import { checkComponentOptions } from './component-options.rules';
import type { Dependencies } from './dependencies';
import { findWorkspaceId } from './find-workspace';

/**
 * POST /v1/voice-previews: voice, language and delivery default to those of the named agent. Changes nothing. @throws NotFoundError if the agent does not exist
 * or belongs to another organization
 */
export async function previewVoice(
  { db, voiceStack, credentials }: Dependencies,
  organizationId: string,
  body: VoicePreviewCreate,
  context: OutgoingContext,
): Promise<Buffer> {
  const agent = body.agent_id === undefined ? undefined : await load(db, organizationId, body.agent_id);
  if (agent !== undefined && (body.project_id ?? agent.projectId) !== agent.projectId) throw forbidden();
  checkLanguage('language', body.language);
  checkComponentOptions({ voice: body.voice }, agent?.document);
  const stored = agent?.document;
  const owner = agent?.organizationId ?? organizationId;
  const voice = body.voice ?? stored?.voice;
  const named = body.component_credential_id;
  if (named !== undefined) {
    const provider = typeof voice === 'object' ? voice.provider : (await voiceStack.defaultProviders(context)).voice;
    const [found] = await credentials.find(owner, [named], context);
    if (found?.kind !== 'tts' || found.provider !== provider)
      throw invalidField('component_credential_id', 'not_allowed', `is not a credential of kind tts for ${provider}`);
  }
  return voiceStack.synthesizePreview(
    {
      voice,
      text: body.text,
      language: body.language ?? stored?.language,
      delivery: body.delivery ?? stored?.voice_polish?.delivery,
      organizationId: owner,
      credentialId: named ?? stored?.component_credential_bindings.tts ?? '',
    },
    context,
  );
}

async function load(db: Dependencies['db'], organizationId: string, agentId: string): Promise<StoredAgent> {
  const found = await findForChange(db, await findWorkspaceId(db, organizationId, agentId), agentId);
  if (found === undefined) throw notFound('agent');
  return found.agent;
}
