import { baseLanguage, foldLanguage, type Publication } from '@parley/contract';

export interface SpokenLanguages {
  /** Whether a call may be placed in it: one of the publication's, or one whose base language is (de-AT with de). */
  speaks(language: string): boolean;
}

export function spokenLanguages(of: Pick<Publication, 'language' | 'languages' | 'profiles'>): SpokenLanguages {
  const all = [of.language, ...of.languages, ...of.profiles.map(({ locale }) => locale)];
  const spoken = new Set(all.map(foldLanguage));
  return { speaks: (language) => spoken.has(foldLanguage(language)) || spoken.has(baseLanguage(language)) };
}
