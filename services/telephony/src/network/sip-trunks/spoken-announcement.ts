import { sealAnnouncement } from '@parley/service';

/** The engines' offline voice pronounces only Latin letters and digits. */
const pronounced = /[A-Za-z0-9]/;

/**
 * Encodes an announcement so that an engine, called by the dialplan, speaks it to the other party of a transfer; undefined for text that cannot be spoken or is
 * too long.
 */
export const announcementFor = (secret: string, text: string, nowMs: number): string | undefined =>
  pronounced.test(text.normalize('NFKD')) ? sealAnnouncement(secret, text, nowMs) : undefined;
