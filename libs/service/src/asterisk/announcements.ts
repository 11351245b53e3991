import { createHmac, timingSafeEqual } from 'node:crypto';

/** Limits the text because the value of a dialplan variable, including everything around the text, may have at most 4096 characters. */
const mostBytes = 2_250;
/** How long an announcement is valid: longer than the other party's phone rings, including retries by the dialplan. */
const seconds = 120;

const form = /^([\w-]+)\.([\w-]{43})$/;

const signatureOf = (secret: string, content: string): Buffer =>
  createHmac('sha256', secret).update(`announcement\n${content}`).digest();

/**
 * Encodes the announcement for the other party of a transfer, so that the dialplan can pass it to any engine. It is signed with a secret that telephony and the
 * engines share (the password of the REST interface), so that no one else can make an engine speak a text.
 * @returns undefined if the text is too long, or if there is no secret
 */
export function sealAnnouncement(secret: string, text: string, nowMs: number): string | undefined {
  if (secret === '' || Buffer.byteLength(text) > mostBytes) return undefined;
  const until = Math.round(nowMs / 1_000) + seconds;
  const content = Buffer.from(`${until}\n${text}`).toString('base64url');
  return `${content}.${signatureOf(secret, content).toString('base64url')}`;
}

/** Verifies and decodes an announcement. @returns undefined if it was not signed with this secret, or has expired */
export function openAnnouncement(secret: string, sealed: string, nowMs: number): string | undefined {
  const [, content = '', signature = ''] = form.exec(sealed) ?? [];
  if (secret === '' || content === '') return undefined;
  if (!timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(secret, content))) return undefined;
  const [until = '', ...lines] = Buffer.from(content, 'base64url').toString().split('\n');
  return Number(until) * 1_000 > nowMs ? lines.join('\n') : undefined;
}
