import type { AgentDocument } from './agent-document.rules';
import { same } from '../same.rules';

/** The fields that a publication is compiled from (docs/reference/voice-stack.md). Tuning and tools are not among them: each call pins them itself. */
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

/** Whether the compiled configuration changes, so that the projection has to be computed again. */
export function changesCompilation(before: AgentDocument, after: AgentDocument): boolean {
  return publishedFields.some((field) => !same(before[field], after[field]));
}

/** Whether the language fields change, which increments language_profile_revision. */
export function changesLanguages(before: AgentDocument, after: AgentDocument): boolean {
  return languageFields.some((field) => !same(before[field], after[field]));
}

export interface Save {
  readonly before: AgentDocument;
  readonly after: AgentDocument;
  /** 0 if nothing has been published yet. */
  readonly publishedVersion: number;
  /** Whether the request body contains `languages`. */
  readonly carriesLanguages: boolean;
  /** Whether the request saves the voice stack: only such a request creates the first publication. */
  readonly savesVoiceStack?: boolean;
  /** Whether the request publishes even if nothing changes: a replacement of the variables always increments their revision. */
  readonly alwaysPublishes?: boolean;
}

/**
 * Whether a save publishes (docs/reference/voice-stack.md and docs/reference/calls.md). Nothing is published before the agent has languages. The first
 * publication is created by the first voice-stack save that contains languages or changes a field that is compiled; after it, every request that changes such a
 * field publishes. A replacement of the variables publishes even without languages. Calls then pin that publication, so later changes of compiled fields
 * publish too.
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

/** The input of a publication as stored: only fields that were set, with the ids of bound credentials, as JSON text. Never returned to a client. */
export function publishedConfiguration(document: AgentDocument): string {
  return JSON.stringify(Object.fromEntries(publishedFields.map((field) => [field, document[field]])));
}

/** The document with the compiled fields of an earlier publication. Tuning, tools and other fields stay unchanged. */
export function restoredDocument(stored: AgentDocument, configuration: string): AgentDocument {
  const kept = Object.entries(stored).filter(([name]) => !publishedFields.some((field) => field === name));
  const { mode } = stored;
  return Object.assign(Object.fromEntries(kept), JSON.parse(configuration), { mode }) as AgentDocument;
}
