import type { Sealed, Vault } from '@parley/vault';

interface Owner {
  readonly organizationId: string;
  readonly sipTrunkId: string;
}

export const trunkPurpose = 'sip-trunk';

const contextOf = ({ organizationId, sipTrunkId }: Owner) => ({
  organizationId,
  purpose: trunkPurpose,
  recordId: sipTrunkId,
});

/** Encrypts a password for storage; null for none. */
export function sealPassword(
  vault: Vault,
  owner: Owner,
  password: string | undefined,
): { readonly password: Sealed | null; readonly vault_key_id: string | null } {
  if (password === undefined) return { password: null, vault_key_id: null };
  const sealed = vault.seal(password, contextOf(owner));
  return { password: sealed, vault_key_id: vault.keyIdOf(sealed) };
}

export const openPassword = (vault: Vault, owner: Owner, password: Buffer): string =>
  vault.open(password, contextOf(owner)).toString('utf8');
