import type { AgentUpdate } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { etagOf } from '../domain/etag';
import { nextStatus, updateDocument } from '../domain/update-document';
import { viewWithSecrets } from '../domain/rendered';
import { changeAgent, type ChangeAgent } from './change-agent';
import { checkCredentialBindings } from './check-credential-bindings';
import type { AgentAnswer, Dependencies } from './dependencies';

/** PATCH /v1/agents/{agent_id} (section 2.2). Publishes too where it changes what a publication is compiled from. */
export async function updateAgent(
  dependencies: Dependencies,
  request: ChangeAgent<AgentUpdate>,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const { agent, rendered, madeSecrets } = await changeAgent(
    dependencies,
    request,
    async (stored, body) => {
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
