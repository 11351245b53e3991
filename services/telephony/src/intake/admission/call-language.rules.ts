import { baseLanguage, foldLanguage, type PublicationFacts, type Publication } from '@parley/contract';

export interface SpokenLanguages {
  /** Whether a call may be placed in the language: it must be one of the publication's languages, or share the base language of one (de-AT with de). */
  speaks(language: string): boolean;
}

export function spokenLanguages(of: Pick<Publication, 'language' | 'languages' | 'profiles'>): SpokenLanguages {
  const all = [of.language, ...of.languages, ...of.profiles.map(({ locale }) => locale)];
  const spoken = new Set(all.map(foldLanguage));
  return { speaks: (language) => spoken.has(foldLanguage(language)) || spoken.has(baseLanguage(language)) };
}

type Languages = Pick<PublicationFacts, 'language' | 'starting_language' | 'profiles'>;

/** Whether a publication supports a language: the language itself, or its base language. */
export function speaks({ language, starting_language, profiles }: Languages, agentSnapshot: string): boolean {
  const spoken = [language, starting_language ?? language, ...profiles.map(({ locale }) => locale)].map(foldLanguage);
  return spoken.includes(foldLanguage(agentSnapshot)) || spoken.includes(baseLanguage(agentSnapshot));
}
