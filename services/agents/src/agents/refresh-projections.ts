import type { OutgoingContext } from '@parley/runtime';
import { findStaleProjections, type StaleAgent } from './agents.cross-tenant.sql';
import { findForChange } from './read-agent.sql';
import { commitChange } from './write-agent.sql';
import { render } from './rendered.rules';
import { configurationFor } from './configuration-for';
import type { Dependencies } from './dependencies';

const BATCH = 50;

/**
 * Recomputes projections that were computed with another version of the catalogue, for example because a price, a latency or a model changed. The revision is
 * incremented, because reads change and an ETag must identify one content. Nothing is published. If an agent is changed concurrently, the next run recomputes
 * it.
 * @returns the number of recomputed projections
 */
export async function refreshProjections(dependencies: Dependencies, context: OutgoingContext): Promise<number> {
  const version = await dependencies.voiceStack.catalogueVersion(context);
  let refreshed = 0;
  for (;;) {
    const stale = await findStaleProjections(dependencies.db, version, BATCH);
    let progress = 0;
    for (const agent of stale) if (await refresh(dependencies, agent, version, context)) progress += 1;
    refreshed += progress;
    if (progress === 0 || context.signal?.aborted === true) return refreshed;
  }
}

async function refresh(
  { db, voiceStack, credentials }: Dependencies,
  stale: StaleAgent,
  version: string,
  context: OutgoingContext,
): Promise<boolean> {
  const found = await findForChange(db, stale.organization_id, stale.agent_id);
  if (found === undefined) return false;
  const { agent } = found;
  const configuration = await configurationFor({ credentials }, agent.organizationId, agent.document, context);
  const compiled = await voiceStack.draft(configuration, context);
  // During a deployment an older or a newer version of voice-stack may respond. Once only the newer one runs, its projection is stored.
  if (compiled.catalogueVersion !== version) return false;
  const after = { ...agent, revision: agent.revision + 1, compiled };
  return commitChange(db, agent, after, render(after));
}
