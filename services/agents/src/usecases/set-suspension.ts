import { append } from '@parley/outbox';
import type { OutgoingContext } from '@parley/runtime';
import { etagOf } from '../domain/etag';
import { reinstatedStatus } from '../domain/suspension';
import { suspensionAct } from '../events/suspension-act';
import { changeAgent, type ChangeAgent, type Workspace } from './change-agent';
import type { AgentAnswer, Dependencies } from './dependencies';

export interface SetSuspension extends Omit<ChangeAgent<Workspace>, 'body' | 'foreign'> {
  readonly suspended: boolean;
  /** The operator's key. */
  readonly actorKeyId: string;
}

/**
 * Suspends or reinstates an agent (section 3): an operator's act, told to auth by the outbox in the same transaction. An
 * agent that is so already answers the same again.
 */
export async function setSuspension(
  dependencies: Dependencies,
  { suspended, actorKeyId, ...request }: SetSuspension,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const { traceparent } = context;
  const { agent, rendered } = await changeAgent(
    dependencies,
    { ...request, foreign: 404, body: () => ({}) },
    (stored) => ({
      document: stored.document,
      status: suspended ? 'suspended' : reinstatedStatus(stored),
      carriesLanguages: false,
    }),
    context,
    (tx, after) => append(tx, [suspensionAct(after, { keyId: actorKeyId, traceparent })]),
  );
  dependencies.committed();
  return { body: rendered.view, etag: etagOf(agent.revision) };
}
