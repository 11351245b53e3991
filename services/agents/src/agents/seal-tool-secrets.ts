import type { StoredTool } from '@parley/contract';
import type { Vault } from '@parley/vault';
import { randomBytes } from 'node:crypto';
import { secretsFor, type ToolSecrets } from './tool-secrets.rules';

/** The vault context of a tool's secret. The record id is `<agent id>/<tool name>`. */
export const toolSigningPurpose = 'tool-signing';

export interface SealedToolSecrets {
  readonly sealed: ToolSecrets;
  /** New secrets by tool name. Only the response of this change contains them. */
  readonly made: ReadonlyMap<string, string>;
}

interface Owner {
  readonly organizationId: string;
  readonly agentId: string;
}

export const newToolSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Encrypts a secret for storage: the vault's ciphertext in base64. */
export const sealToolSecret = (
  vault: Vault,
  { organizationId, agentId }: Owner,
  tool: string,
  secret: string,
): string =>
  vault
    .seal(secret, { organizationId, purpose: toolSigningPurpose, recordId: `${agentId}/${tool}` })
    .toString('base64');

/** Creates a secret, `whsec_` and 32 random bytes in base64, for each webhook tool that has none. Other tools keep theirs. */
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
