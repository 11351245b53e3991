import type { AgentUpdate } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { etagOf } from '../etag.rules';
import { nextStatus, updateDocument } from './update-document.rules';
import { viewWithSecrets } from './rendered.rules';
import { changeAgent, type ChangeAgent } from './change-agent';
import { checkAddresses } from './check-addresses';
import { checkSentTools } from './check-tools';
import { checkCredentialBindings } from './check-credential-bindings';
import type { AgentAnswer, Dependencies } from './dependencies';

/** PATCH /v1/agents/{agent_id} (docs/reference/agents.md#update). Publishes if it changes a field that a publication is compiled from. */
export async function updateAgent(
  dependencies: Dependencies,
  request: ChangeAgent<AgentUpdate>,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const { agent, rendered, madeSecrets } = await changeAgent(
    dependencies,
    { ...request, foreign: 403, action: 'agent.updated' },
    async (stored, body) => {
      checkAddresses(dependencies.policy, body, stored.document);
      await checkSentTools(dependencies, stored, body.tools, stored.document.tools);
      await checkCredentialBindings(dependencies, stored, { voice: body.voice }, context);
      return {
        document: updateDocument(stored.document, body),
        status: nextStatus(stored.status, body.status),
        carriesLanguages: false,
      };
    },
    context,
  );
  return { body: viewWithSecrets(agent, rendered, madeSecrets), etag: etagOf(agent.revision) };
}
