import { isWebhookTool, sealedHeaderContext, type StoredTool } from '@parley/contract';
import type { Database } from '@parley/runtime';
import { rewrapParts, type SealedPart, type SealedSource } from '@parley/service';
import { findSealedAgents, replaceSealed, type SealedAgent } from './agents.cross-tenant.sql';
import { toolSigningPurpose } from './seal-tool-secrets';
import type { ToolSecrets } from './tool-secrets.rules';

const PAGE = 100;

/**
 * The encrypted header values and signing secrets of agents, for the job that encrypts them under a new key. The revision stays, because views do not change. A
 * concurrent change may write the old ciphertext again; the next run then replaces it.
 */
export const sealedAgents = (db: Database): SealedSource => ({
  name: 'agents',
  async rewrapAll(vault) {
    let failed = 0;
    for (let after = ''; ;) {
      const found = await findSealedAgents(db, after, PAGE);
      for (const agent of found) {
        const texts = [agent.document, agent.tuning, agent.tool_secrets] as const;
        const wrapped = rewrapParts(vault, texts, partsOf(agent));
        failed += wrapped.failed;
        if (wrapped.documents.some((text, nth) => text !== texts[nth]))
          await replaceSealed(db, agent, wrapped.documents);
      }
      const last = found.at(-1);
      if (last === undefined || found.length < PAGE) return failed;
      after = last.agent_id;
    }
  },
});

function partsOf(agent: SealedAgent): SealedPart[] {
  const { organization_id: organizationId, agent_id: agentId } = agent;
  const secrets = Object.entries(JSON.parse(agent.tool_secrets) as ToolSecrets).flatMap(([tool, stored]) => {
    const all =
      typeof stored === 'string' ? [stored] : [stored.current, ...stored.previous.map(({ sealed }) => sealed)];
    const context = { organizationId, purpose: toolSigningPurpose, recordId: `${agentId}/${tool}` };
    return all.map((text) => ({ text, context }));
  });
  const tools = [agent.document, agent.tuning].flatMap(
    (text) => (JSON.parse(text) as { readonly tools?: readonly StoredTool[] }).tools ?? [],
  );
  const headers = tools.filter(isWebhookTool).flatMap((tool) =>
    Object.entries(tool.sealed_headers ?? {}).map(([header, text]) => ({
      text,
      context: sealedHeaderContext(organizationId, agentId, tool.name, header),
    })),
  );
  return [...secrets, ...headers];
}
