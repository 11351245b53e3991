import { createHash } from 'node:crypto';
import { canonicalJson, type Publication } from '@parley/contract';

/** A publication as it is stored: canonical JSON, and the SHA-256 (hex) by which it is found. */
export function publicationContent(publication: Publication): { readonly content: string; readonly sha256: string } {
  const content = canonicalJson(publication);
  return { content, sha256: createHash('sha256').update(content, 'utf8').digest('hex') };
}
