import type { AgentUpdate } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { etagOf } from '../domain/etag';
import { nextStatus, updateDocument } from '../domain/update-document';
import { changeAgent, type ChangeAgent } from './change-agent';
import type { AgentAnswer, Dependencies } from './dependencies';

/** PATCH /v1/agents/{agent_id} (section 2.2). Publishes too where it changes what a publication is compiled from. */
export async function updateAgent(
  dependencies: Dependencies,
  request: ChangeAgent<AgentUpdate>,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const { agent, rendered } = await changeAgent(
    dependencies,
    request,
    (stored, body) => ({
      document: updateDocument(stored.document, body),
      status: nextStatus(stored.status, body.status),
      carriesLanguages: false,
    }),
    context,
  );
  return { json: rendered.view, etag: etagOf(agent.revision) };
}
