import { findClearHeaders } from './agents.cross-tenant.sql';
import type { Dependencies } from './dependencies';
import { findForChange } from './read-agent.sql';
import { render } from './rendered.rules';
import { sealToolHeaders } from './seal-tool-headers';
import { same } from '../same.rules';
import { commitChange } from './write-agent.sql';

const BATCH = 50;

/**
 * Encrypts header values of tools that an earlier version stored unencrypted. Increments the revision, because the view changes. If an agent is changed
 * concurrently, the next run encrypts it.
 * @returns the number of changed agents
 */
export async function sealClearHeaders({ db, vault }: Pick<Dependencies, 'db' | 'vault'>): Promise<number> {
  let sealed = 0;
  for (let after = ''; ;) {
    const found = await findClearHeaders(db, after, BATCH);
    for (const { organization_id: organizationId, agent_id: agentId } of found) {
      const agent = (await findForChange(db, organizationId, agentId))?.agent;
      if (agent === undefined) continue;
      const tools = sealToolHeaders(vault, agent, agent.document.tools, agent.document.tools);
      // The text that the index search matches may be in another place of the document, for example in a tool's parameter schema.
      if (same(tools, agent.document.tools)) continue;
      const next = { ...agent, revision: agent.revision + 1, document: { ...agent.document, tools } };
      if (await commitChange(db, agent, next, render(next))) sealed += 1;
    }
    const last = found.at(-1);
    if (last === undefined || found.length < BATCH) return sealed;
    after = last.agent_id;
  }
}
