import { compile, publicationContent, type Catalogue, type Compilation } from '@parley/compilation';
import type { VoiceStackConfiguration } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { putPublication } from '../publications';

export interface CompileConfiguration {
  readonly organizationId: string;
  readonly configuration: VoiceStackConfiguration;
  /** Whether a publication without blockers is to be kept. */
  readonly store: boolean;
}

/** Compiles, and stores what came out before it answers: whoever was given a hash can read it. `sha256` is empty when blocked. */
export async function compileConfiguration(
  db: Queryable,
  catalogue: Catalogue,
  request: CompileConfiguration,
): Promise<Compilation & { readonly sha256: string }> {
  const compilation = compile(request.configuration, catalogue);
  if (compilation.blockers.length > 0) return { ...compilation, sha256: '' };
  const { content, sha256 } = publicationContent(compilation.publication);
  if (request.store) await putPublication(db, request.organizationId, sha256, content);
  return { ...compilation, sha256 };
}
