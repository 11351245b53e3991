import type { SealingContext, Vault } from '@parley/vault';

/** An encrypted value inside a document, in base64, and the context for which it was encrypted. */
export interface SealedPart {
  readonly text: string;
  readonly context: SealingContext;
}

/**
 * Re-encrypts all values in documents that are encrypted under another key than the current one. The rest of the texts does not change, and a value that occurs
 * several times is replaced by the same text everywhere. `failed`: how many values could not be decrypted.
 */
export function rewrapParts<Documents extends readonly string[]>(
  vault: Vault,
  documents: Documents,
  parts: readonly SealedPart[],
): { readonly documents: { [K in keyof Documents]: string }; readonly failed: number } {
  const wrapped = new Map<string, string>();
  let failed = 0;
  for (const { text, context } of parts) {
    const sealed = Buffer.from(text, 'base64');
    try {
      if (wrapped.has(text) || vault.keyIdOf(sealed) === vault.currentKeyId()) continue;
      wrapped.set(text, vault.rewrap(sealed, context).toString('base64'));
    } catch {
      failed += 1;
    }
  }
  const replaced = (document: string): string =>
    [...wrapped].reduce((text, [old, now]) => text.replaceAll(JSON.stringify(old), JSON.stringify(now)), document);
  return { documents: documents.map(replaced) as { [K in keyof Documents]: string }, failed };
}
