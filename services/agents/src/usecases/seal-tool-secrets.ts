import type { AgentTool } from '@parley/contract';
import type { Vault } from '@parley/vault';
import { randomBytes } from 'node:crypto';
import { secretsFor, type ToolSecrets } from '../domain/tool-secrets';

/** For the vault: what a tool's secret is sealed for. Its record is `<agent id>/<tool name>`. */
export const toolSigningPurpose = 'tool-signing';

export interface SealedToolSecrets {
  readonly sealed: ToolSecrets;
  /** Those that were made now, by the tools' names: to be shown this once. */
  readonly made: ReadonlyMap<string, string>;
}

interface Owner {
  readonly organizationId: string;
  readonly agentId: string;
}

/** Gives each webhook tool without a secret a new one, `whsec_` and 32 random bytes in base64; the others keep theirs. */
export function sealToolSecrets(
  vault: Vault,
  { organizationId, agentId }: Owner,
  tools: readonly AgentTool[],
  stored: ToolSecrets,
): SealedToolSecrets {
  const { kept, lacking } = secretsFor(tools, stored);
  const made = new Map(lacking.map((name) => [name, `whsec_${randomBytes(32).toString('base64')}`]));
  const seal = ([name, secret]: readonly [string, string]): readonly [string, string] => {
    const context = { organizationId, purpose: toolSigningPurpose, recordId: `${agentId}/${name}` };
    return [name, vault.seal(secret, context).toString('base64')];
  };
  return { sealed: { ...kept, ...Object.fromEntries([...made].map(seal)) }, made };
}
