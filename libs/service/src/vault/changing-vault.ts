import { changingSecret } from '@parley/runtime';
import { createVault, parseVaultKeys, type Keyring, type Vault } from '@parley/vault';

/** The vault of a service by VAULT_KEYS: keys that are added to or taken out of VAULT_KEYS_FILE count within seconds, without a restart. */
export function changingVault(vaultKeys: string, options: Parameters<typeof changingSecret>[2] = {}): Vault {
  const text = changingSecret('VAULT_KEYS', vaultKeys, { ...options, usable: isKeyring });
  let read = text();
  let keyring: Keyring = parseVaultKeys(read);
  return createVault(() => {
    const now = text();
    if (now !== read) {
      keyring = parseVaultKeys(now);
      read = now;
    }
    return keyring;
  });
}

function isKeyring(text: string): boolean {
  try {
    parseVaultKeys(text);
    return true;
  } catch {
    return false;
  }
}
