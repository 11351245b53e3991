import type { AgentDocument } from './agent-document';
import { same } from './same';

/** What a publication is compiled from (decisions section 4). Tuning and tools are pinned by each call instead. */
export const publishedFields = [
  'mode',
  'voice_frontend',
  'language',
  'languages',
  'language_profiles',
  'follow_caller',
  'system_prompt',
  'first_message',
  'transcriber',
  'model',
  'voice',
  'translation',
  'component_credential_bindings',
  'variables',
] as const satisfies readonly (keyof AgentDocument)[];

const languageFields = [
  'language',
  'languages',
  'language_profiles',
  'follow_caller',
] as const satisfies readonly (keyof AgentDocument)[];

/** Whether the compiled configuration changes, so that the projection must be computed anew. */
export function changesCompilation(before: AgentDocument, after: AgentDocument): boolean {
  return publishedFields.some((field) => !same(before[field], after[field]));
}

/** Whether the language fields change, which moves language_profile_revision. */
export function changesLanguages(before: AgentDocument, after: AgentDocument): boolean {
  return languageFields.some((field) => !same(before[field], after[field]));
}

export interface Save {
  readonly before: AgentDocument;
  readonly after: AgentDocument;
  /** 0: nothing was published yet. */
  readonly publishedVersion: number;
  /** Whether this request itself carries `languages`. */
  readonly carriesLanguages: boolean;
  /** A request that publishes whatever it changes: a replacement of the variables, so that their revision always moves. */
  readonly alwaysPublishes?: boolean;
}

/**
 * Which saves publish (decisions section 4): none before languages are opted in; then the first one that carries languages,
 * and every one that changes what a publication is compiled from. What is published without languages, by its variables, is
 * what calls pin from then on, so its later changes publish too.
 */
export function publishes({
  before,
  after,
  publishedVersion,
  carriesLanguages,
  alwaysPublishes = false,
}: Save): boolean {
  if (alwaysPublishes) return true;
  if (after.languages === undefined && publishedVersion === 0) return false;
  return (publishedVersion === 0 && carriesLanguages) || changesCompilation(before, after);
}
