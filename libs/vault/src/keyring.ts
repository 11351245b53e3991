/** The key-encryption keys of a process. New values are encrypted under `current`; all known keys can decrypt. */
export interface Keyring {
  readonly current: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

const keyIdPattern = /^[A-Za-z0-9_-]{1,32}$/;
const base64Pattern = /^[A-Za-z0-9+/]+={0,2}$/;
const keyBytes = 32;

/**
 * Parses the setting VAULT_KEYS: `k1:<base64 of 32 bytes>[,k2:...]`. The last key encrypts, so a rotation appends a key. Throws one Error that lists all
 * problems but never contains key material.
 */
export function parseVaultKeys(text: string): Keyring {
  const keys = new Map<string, Buffer>();
  const errors: string[] = [];
  let current = '';
  text.split(',').forEach((entry, index) => {
    const place = `key ${index + 1}`;
    const separator = entry.indexOf(':');
    const id = entry.slice(0, Math.max(separator, 0)).trim();
    const encoded = entry.slice(separator + 1).trim();
    if (separator < 0 || !keyIdPattern.test(id)) {
      errors.push(`${place}: must be <id>:<base64>, the id of 1 to 32 letters, digits, - or _`);
      return;
    }
    const key = Buffer.from(encoded, 'base64');
    if (!base64Pattern.test(encoded) || key.length !== keyBytes)
      errors.push(`${place} (${id}): must be ${keyBytes} bytes in base64`);
    if (keys.has(id)) errors.push(`${place} (${id}): duplicate id`);
    keys.set(id, key);
    current = id;
  });
  if (errors.length > 0) throw new Error(`vault keys: ${errors.join('; ')}`);
  return { current, keys };
}

/** Whether `parseVaultKeys` accepts the text. */
export function isKeyring(text: string): boolean {
  try {
    parseVaultKeys(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the keyring for `createVault` from a text that may change. `text` must always return a valid keyring. */
export function followingKeyring(text: () => string): () => Keyring {
  let read = text();
  let keyring = parseVaultKeys(read);
  return () => {
    const now = text();
    if (now !== read) {
      keyring = parseVaultKeys(now);
      read = now;
    }
    return keyring;
  };
}
