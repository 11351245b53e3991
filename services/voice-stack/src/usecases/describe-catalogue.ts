import { createHash } from 'node:crypto';
import { canonicalJson } from '@parley/contract';
import type { Catalogue } from '../domain/catalogue';

export interface CatalogueDescription {
  /** Canonical JSON, as GET /v1/agent-catalog answers it. */
  readonly json: string;
  /** Hash of the text: the same data has the same version on every replica. */
  readonly version: string;
}

export function describeCatalogue(catalogue: Catalogue): CatalogueDescription {
  const version = createHash('sha256').update(canonicalJson(catalogue), 'utf8').digest('hex').slice(0, 16);
  return { json: canonicalJson({ ...catalogue, version }), version };
}
