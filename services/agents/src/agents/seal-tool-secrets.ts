import type { StoredTool } from '@parley/contract';
import type { Vault } from '@parley/vault';
import { randomBytes } from 'node:crypto';
import { secretsFor, type ToolSecrets } from './tool-secrets.rules';

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

export const newToolSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** A secret as it is stored: what the vault sealed, in base64. */
export const sealToolSecret = (
  vault: Vault,
  { organizationId, agentId }: Owner,
  tool: string,
  secret: string,
): string =>
  vault
    .seal(secret, { organizationId, purpose: toolSigningPurpose, recordId: `${agentId}/${tool}` })
    .toString('base64');

/** Gives each webhook tool without a secret a new one, `whsec_` and 32 random bytes in base64; the others keep theirs. */
export function sealToolSecrets(
  vault: Vault,
  owner: Owner,
  tools: readonly StoredTool[],
  stored: ToolSecrets,
): SealedToolSecrets {
  const { kept, lacking } = secretsFor(tools, stored);
  const made = new Map(lacking.map((name) => [name, newToolSecret()]));
  const seal = ([name, secret]: readonly [string, string]): readonly [string, string] => [
    name,
    sealToolSecret(vault, owner, name, secret),
  ];
  return { sealed: { ...kept, ...Object.fromEntries([...made].map(seal)) }, made };
}
