import type { TranslationPolicy, TranslationState } from '@parley/contract';

/** The translation of a text that the agent's policy requires. */
export interface Translation {
  readonly status: TranslationState;
  readonly targetLanguage: string;
  readonly body: string | null;
  readonly provider: string | null;
  readonly reason: string | null;
}

/** The translation that the agent's policy requires for a message in a language; null if none is required or the message is already in the target language. */
export function wantedTranslation(
  policy: TranslationPolicy | undefined,
  language: string | undefined,
): Translation | null {
  const target = translationTarget(policy, 'messages', language);
  if (target === undefined) return null;
  return { status: 'pending', targetLanguage: target, body: null, provider: null, reason: null };
}

/** The language to translate into; undefined: no translation is required. */
export function translationTarget(
  policy: TranslationPolicy | undefined,
  what: 'messages' | 'transcripts',
  language: string | undefined,
): string | undefined {
  if (policy === undefined || !policy.enabled || policy.target_language === undefined) return undefined;
  const { scope = 'both', target_language: target } = policy;
  if (scope !== 'both' && scope !== what) return undefined;
  return language !== undefined && fold(language) === fold(target) ? undefined : target;
}

const fold = (language: string): string => language.toLowerCase().replaceAll('_', '-');
