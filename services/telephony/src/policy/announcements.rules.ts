import { baseLanguage, type OutboundPolicyUpdate } from '@parley/contract';

/**
 * The announcement, before a call in a language, that the call is recorded. Null: the organization announces recordings but has no text in that language.
 * Undefined: it does not announce recordings.
 */
export function announcementOf(
  { recording_announcements: announcements }: Pick<OutboundPolicyUpdate, 'recording_announcements'>,
  language: string,
): string | null | undefined {
  if (announcements === undefined || announcements === null) return undefined;
  const found =
    announcements.find((one) => one.language.toLowerCase() === language.toLowerCase()) ??
    announcements.find((one) => baseLanguage(one.language) === baseLanguage(language));
  return found?.text ?? null;
}
