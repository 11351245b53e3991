import { createHash } from 'node:crypto';
import { audioPresets, canonicalJson } from '@parley/contract';
import type { Catalogue } from '@parley/compilation';

export interface CatalogueDescription {
  /** Canonical JSON, as GET /v1/agent-catalog answers it. */
  readonly json: string;
  /** Hash of all that a read of an agent is computed from: the same data has the same version on every replica. */
  readonly version: string;
}

export function describeCatalogue(catalogue: Catalogue): CatalogueDescription {
  const version = createHash('sha256')
    .update(canonicalJson({ ...catalogue, audioPresets }), 'utf8')
    .digest('hex')
    .slice(0, 16);
  return { json: canonicalJson({ ...catalogue, version }), version };
}
