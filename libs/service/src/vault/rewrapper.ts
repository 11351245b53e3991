import { Gauge, type Registry } from 'prom-client';
import { poller, type Background, type Logger } from '@parley/runtime';
import type { Vault } from '@parley/vault';

/** A set of stored values that the vault encrypted. */
export interface SealedSource {
  readonly name: string;
  /** Re-encrypts all values whose data key is wrapped by another key than the current one. Resolves with the number of values that could not be decrypted. */
  rewrapAll(vault: Vault): Promise<number>;
}

export interface RewrapperOptions {
  readonly vault: Vault;
  readonly sources: readonly SealedSource[];
  readonly log: Logger;
  readonly metrics: Registry;
}

const EVERY_MS = 5_000;
/** How many runs to skip while all values use the current key. */
const RESTS = 120;

/**
 * After a new last key was added to VAULT_KEYS, wraps all stored values under it in the background. `parley_vault_old_keys_in_use` is 1 until two consecutive
 * runs found all values under the current key: then no process encrypts under the old key any more, and it can be removed (docs/operating.md, Rotation).
 */
export function vaultRewrapper({ vault, sources, log, metrics }: RewrapperOptions): Background {
  const gauge = new Gauge({
    name: 'parley_vault_old_keys_in_use',
    help: '1 while stored secrets may be encrypted with a key other than the current one',
    registers: [metrics],
  });
  gauge.set(1);
  let key: string | undefined;
  let clean = 0;
  let rests = 0;
  return poller({
    name: 'vault-rewrap',
    everyMs: EVERY_MS,
    log,
    run: async () => {
      const current = vault.currentKeyId();
      if (current !== key) [key, clean, rests] = [current, 0, 0];
      if (clean > 1 && rests < RESTS) {
        rests += 1;
        return;
      }
      rests = 0;
      let failed = 0;
      for (const source of sources) {
        const left = await source.rewrapAll(vault);
        if (left > 0)
          log.error({ source: source.name, values: left }, 'sealed values cannot be opened: their key is missing');
        failed += left;
      }
      clean = failed === 0 ? clean + 1 : 0;
      gauge.set(clean > 1 ? 0 : 1);
    },
  });
}
