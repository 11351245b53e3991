import type { StoredTool } from '@parley/contract';
import type { Vault } from '@parley/vault';
import { randomBytes } from 'node:crypto';
import { secretsFor, type ToolSecrets } from './tool-secrets.rules';

/** The vault context of a tool's secret. Its record is `<agent id>/<tool name>`. */
export const toolSigningPurpose = 'tool-signing';

export interface SealedToolSecrets {
  readonly sealed: ToolSecrets;
  /** New secrets, by the tools' names: shown only this time. */
  readonly made: ReadonlyMap<string, string>;
}

interface Owner {
  readonly organizationId: string;
  readonly agentId: string;
}

export const newToolSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** A stored secret: the vault's ciphertext, in base64. */
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
