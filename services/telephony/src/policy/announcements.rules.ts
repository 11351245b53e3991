import type { OutboundPolicyUpdate } from '@parley/contract';

const baseOf = (language: string): string => language.toLowerCase().split(/[-_]/)[0] ?? '';

/**
 * What is said before a call in a language is recorded; null: the organization announces its recordings, and has no words in that language. Undefined: it announces
 * nothing.
 */
export function announcementOf(
  { recording_announcements: announcements }: Pick<OutboundPolicyUpdate, 'recording_announcements'>,
  language: string,
): string | null | undefined {
  if (announcements === undefined || announcements === null) return undefined;
  const found =
    announcements.find((one) => one.language.toLowerCase() === language.toLowerCase()) ??
    announcements.find((one) => baseOf(one.language) === baseOf(language));
  return found?.text ?? null;
}
