import { type Catalogue, type Compilation, compile } from '@parley/compilation';
import { canonicalJson, stopsAgent, type Publication, type VoiceStackConfiguration } from '@parley/contract';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { createHash } from 'node:crypto';
import { putPublication } from '../publications';
import { checkVoices, type Inventories } from '../voices';

/** A publication as stored: its canonical JSON, and the SHA-256 (hex) that identifies it. */
function publicationContent(publication: Publication): { readonly content: string; readonly sha256: string } {
  const content = canonicalJson(publication);
  return { content, sha256: createHash('sha256').update(content, 'utf8').digest('hex') };
}

export interface CompileConfiguration {
  readonly organizationId: string;
  readonly configuration: VoiceStackConfiguration;
  /** Whether a publication without blockers is stored. */
  readonly store: boolean;
}

interface Parts {
  readonly db: Queryable;
  readonly catalogue: Catalogue;
  readonly inventories: Inventories;
}

/**
 * Compiles a configuration. The publication is stored before the response, so that every returned hash can be read. `sha256` is empty if the configuration
 * cannot be published; blockers that only stop the agent do not prevent a publication.
 */
export async function compileConfiguration(
  { db, catalogue, inventories }: Parts,
  request: CompileConfiguration,
  context: OutgoingContext,
): Promise<Compilation & { readonly sha256: string }> {
  const compilation = await withVoicesChecked(compile(request.configuration, catalogue), inventories, request, context);
  if (!compilation.blockers.every(stopsAgent)) return { ...compilation, sha256: '' };
  const { content, sha256 } = publicationContent(compilation.publication);
  if (request.store) await putPublication(db, request.organizationId, sha256, content);
  return { ...compilation, sha256 };
}

/** Adds blockers for missing voices. Providers are queried only if the configuration could be published otherwise. */
async function withVoicesChecked(
  compilation: Compilation,
  inventories: Inventories,
  { configuration }: CompileConfiguration,
  context: OutgoingContext,
): Promise<Compilation> {
  if (compilation.blockers.length > 0 || configuration.mode === 'external_audio') return compilation;
  const { blockers, warnings } = await checkVoices(inventories, configuration, compilation.publication, context);
  if (blockers.length === 0 && warnings.length === 0) return compilation;
  const { projection } = compilation;
  const found = [...blockers.map(({ code, detail }) => `${code}: ${detail}`), ...warnings];
  return {
    ...compilation,
    blockers,
    projection: {
      ...projection,
      selectable: blockers.length === 0,
      warnings: [...projection.warnings, ...found],
    },
  };
}
