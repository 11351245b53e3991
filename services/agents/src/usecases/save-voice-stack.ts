import type { AgentVoiceStackUpdate } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { etagOf } from '../domain/etag';
import { saveDocument } from '../domain/save-document';
import { changeAgent, type ChangeAgent } from './change-agent';
import type { AgentAnswer, Dependencies } from './dependencies';

/** PATCH /v1/agents/{agent_id}/voice-stack (section 2.4). */
export async function saveVoiceStack(
  dependencies: Dependencies,
  request: ChangeAgent<AgentVoiceStackUpdate>,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const hasAxis = await dependencies.voiceStack.languageAxis(context);
  const { agent, rendered } = await changeAgent(
    dependencies,
    request,
    (stored, body) => ({
      document: saveDocument(stored, body, hasAxis),
      status: stored.status,
      carriesLanguages: body.languages !== undefined,
    }),
    context,
  );
  return { json: rendered.voiceStackView, etag: etagOf(agent.revision) };
}
