import { sealAnnouncement } from '@parley/service';

/** The offline voice of engines knows Latin letters and digits. */
const pronounced = /[A-Za-z0-9]/;

/** What the dialplan has an engine say to the other party of a transfer; undefined for what cannot be said, or is too long. */
export const announcementFor = (secret: string, text: string, nowMs: number): string | undefined =>
  pronounced.test(text.normalize('NFKD')) ? sealAnnouncement(secret, text, nowMs) : undefined;
