import { baseLanguage, foldLanguage, type PublicationFacts } from '@parley/contract';

type Languages = Pick<PublicationFacts, 'language' | 'starting_language' | 'profiles'>;

/** Whether a call can be placed in a language: one that the publication has, or one whose base language it has. */
export function speaks({ language, starting_language, profiles }: Languages, asked: string): boolean {
  const spoken = [language, starting_language ?? language, ...profiles.map(({ locale }) => locale)].map(foldLanguage);
  return spoken.includes(foldLanguage(asked)) || spoken.includes(baseLanguage(asked));
}
