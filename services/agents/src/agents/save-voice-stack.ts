import type { AgentVoiceStackUpdate } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { etagOf } from '../etag.rules';
import { saveDocument } from './save-document.rules';
import { voiceStackSaved } from './rendered.rules';
import { runnableView } from './runnable-view';
import { changeAgent, type ChangeAgent } from './change-agent';
import { checkAddresses } from './check-addresses';
import { checkSentTools } from './check-tools';
import { checkCredentialBindings } from './check-credential-bindings';
import type { AgentAnswer, Dependencies } from './dependencies';

/** PATCH /v1/agents/{agent_id}/voice-stack (docs/reference/voice-stack.md). */
export async function saveVoiceStack(
  dependencies: Dependencies,
  request: ChangeAgent<AgentVoiceStackUpdate>,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const hasAxis = await dependencies.voiceStack.languageAxis(context);
  const { agent, madeSecrets } = await changeAgent(
    dependencies,
    { ...request, foreign: 403, action: 'agent.voice_stack_saved' },
    async (stored, body) => {
      checkAddresses(dependencies.policy, { tools: body.tools }, stored.document);
      await checkSentTools(dependencies, stored, body.tools, stored.document.tools);
      await checkCredentialBindings(dependencies, stored, body, context);
      return {
        document: saveDocument(stored, body, hasAxis),
        status: stored.status,
        carriesLanguages: Array.isArray(body.languages),
        savesVoiceStack: true,
      };
    },
    context,
  );
  const runnable = await runnableView(dependencies, agent, context);
  return { body: voiceStackSaved(agent, madeSecrets, runnable), etag: etagOf(agent.revision) };
}
