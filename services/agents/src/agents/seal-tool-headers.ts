import { hiddenHeader, isWebhookTool, sealedHeaderContext, type StoredTool } from '@parley/contract';
import type { Vault } from '@parley/vault';
import { storedHeader } from './tools.rules';

interface Owner {
  readonly organizationId: string;
  readonly agentId: string;
}

/**
 * Returns the tools with all header values encrypted. A masked value, and one that equals the stored value, keep the stored ciphertext, so that a client can
 * send back what it read.
 * @param stored the agent's tools before the change
 */
export function sealToolHeaders(
  vault: Vault,
  { organizationId, agentId }: Owner,
  tools: readonly StoredTool[],
  stored: readonly StoredTool[],
): readonly StoredTool[] {
  return tools.map((tool) => {
    if (!isWebhookTool(tool) || tool.headers === undefined) return tool;
    const { headers, ...rest } = tool;
    const seal = ([header, value]: readonly [string, string]): readonly [string, string] => {
      const context = sealedHeaderContext(organizationId, agentId, tool.name, header);
      const sealed = storedHeader(stored, tool.name, header);
      const keeps = value === hiddenHeader || (sealed !== undefined && opened(sealed) === value);
      if (keeps && sealed !== undefined) return [header, sealed];
      return [header, vault.seal(value, context).toString('base64')];

      function opened(text: string): string | undefined {
        try {
          return vault.open(Buffer.from(text, 'base64'), context).toString('utf8');
        } catch {
          // The stored value was encrypted with a key that has been removed: the value in the request replaces it.
          return undefined;
        }
      }
    };
    return {
      ...rest,
      sealed_headers: { ...tool.sealed_headers, ...Object.fromEntries(Object.entries(headers).map(seal)) },
    };
  });
}
