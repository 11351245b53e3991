import { neededCapabilities, stopsAgent, type Blocker } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import type { AgentDocument } from './agent-document.rules';
import { configurationFor } from './configuration-for';
import type { Dependencies } from './dependencies';
import type { StoredAgent } from './stored-agent.rules';

type Checks = Pick<Dependencies, 'voiceStack' | 'workers' | 'credentials'>;

const keyOf = ({ code, scope, detail }: Blocker): string => JSON.stringify([code, scope, detail]);

/** What would stop the agent after a publication of this document and does not stop it now. Empty before the first publication. */
export async function findNewStops(
  dependencies: Checks,
  agent: StoredAgent,
  after: AgentDocument,
  context: OutgoingContext,
): Promise<readonly Blocker[]> {
  if (agent.published.version === 0) return [];
  const found = await findStops(dependencies, agent, after, context);
  if (found.length === 0) return [];
  const present = new Set((await findStops(dependencies, agent, agent.document, context)).map(keyOf));
  return found.filter((blocker) => !present.has(keyOf(blocker)));
}

/** If telephony is unavailable, the workers are not considered: a save must not depend on it. */
async function findStops(
  dependencies: Checks,
  workspace: StoredAgent,
  document: AgentDocument,
  context: OutgoingContext,
): Promise<Blocker[]> {
  const configuration = await configurationFor(dependencies, workspace.organizationId, document, context);
  const { blockers, publication } = await dependencies.voiceStack.draft(configuration, context);
  const needs = neededCapabilities({ mode: document.mode, publication, tools: [], workflow: undefined });
  const checked = await dependencies.workers.check(workspace, needs, context);
  return [...blockers, ...(checked?.undeclared ?? [])].filter(stopsAgent);
}

/** The blockers of a compilation that refuse its publication: all that make it impossible, and new ones that would stop the agent. */
export function refusingBlockers(compiled: readonly Blocker[], stops: readonly Blocker[]): Blocker[] {
  return [...compiled.filter((blocker) => !stopsAgent(blocker)), ...stops];
}
