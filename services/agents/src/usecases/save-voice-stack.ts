import type { AgentVoiceStackUpdate } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { etagOf } from '../domain/etag';
import { saveDocument } from '../domain/save-document';
import { voiceStackViewWithSecrets } from '../domain/rendered';
import { changeAgent, type ChangeAgent } from './change-agent';
import { checkCredentialBindings } from './check-credential-bindings';
import type { AgentAnswer, Dependencies } from './dependencies';

/** PATCH /v1/agents/{agent_id}/voice-stack (section 2.4). */
export async function saveVoiceStack(
  dependencies: Dependencies,
  request: ChangeAgent<AgentVoiceStackUpdate>,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const hasAxis = await dependencies.voiceStack.languageAxis(context);
  const { agent, rendered, madeSecrets } = await changeAgent(
    dependencies,
    request,
    async (stored, body) => {
      await checkCredentialBindings(dependencies, stored, body, context);
      return {
        document: saveDocument(stored, body, hasAxis),
        status: stored.status,
        carriesLanguages: body.languages !== undefined,
      };
    },
    context,
  );
  return { body: voiceStackViewWithSecrets(agent, rendered, madeSecrets), etag: etagOf(agent.revision) };
}
