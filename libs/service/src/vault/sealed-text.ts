import type { SealingContext, Vault } from '@parley/vault';

/** A sealed value inside of a document, in base64 as it stands there, and what it was sealed for. */
export interface SealedPart {
  readonly text: string;
  readonly context: SealingContext;
}

/**
 * The documents with every value that another key sealed under the current one; nothing else of their texts changes, and a value that stands in several is the same in all.
 * `failed`: how many could not be opened.
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
