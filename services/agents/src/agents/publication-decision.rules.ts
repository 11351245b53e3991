import type { AgentDocument } from './agent-document.rules';
import { same } from '../same.rules';

/** The input of a publication's compilation (docs/reference/voice-stack.md). Tuning and tools are pinned by each call instead. */
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

/** Whether the compiled configuration changes, so that the projection must be computed again. */
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
  /** A voice-stack save: only such a request creates the first publication. */
  readonly savesVoiceStack?: boolean;
  /** A request that publishes whatever it changes: a replacement of the variables, so that their revision always moves. */
  readonly alwaysPublishes?: boolean;
}

/**
 * Which saves publish (docs/reference/voice-stack.md and docs/reference/calls.md): none before languages are opted in, by creation or by a save; then the first voice-stack save that
 * carries languages or changes what a publication is compiled from, and after it every request that changes that. What is published without languages, by its variables, is
 * what calls pin from then on, so its later changes publish too.
 */
export function publishes({
  before,
  after,
  publishedVersion,
  carriesLanguages,
  savesVoiceStack = false,
  alwaysPublishes = false,
}: Save): boolean {
  if (alwaysPublishes) return true;
  if (publishedVersion > 0) return changesCompilation(before, after);
  return after.languages !== undefined && savesVoiceStack && (carriesLanguages || changesCompilation(before, after));
}
