import type { OutgoingContext } from '@parley/runtime';
import { findStaleProjections, type StaleAgent } from './agents.cross-tenant.sql';
import { findForChange } from './read-agent.sql';
import { commitChange } from './write-agent.sql';
import { render } from './rendered.rules';
import { configurationFor } from './configuration-for';
import type { Dependencies } from './dependencies';

const BATCH = 50;

/**
 * Computes the projections again that another version of the catalogue computed: a price or a latency changed, a model came
 * or went. The revision moves with what the read shows, so that an entity tag always stands for one content; nothing is
 * published. Returns how many were refreshed; a lost race is left to the next run.
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
  // While two versions of voice-stack run concurrently either may respond; the newer one wins once it is alone.
  if (compiled.catalogueVersion !== version) return false;
  const after = { ...agent, revision: agent.revision + 1, compiled };
  return commitChange(db, agent, after, render(after));
}
