import { createHmac, timingSafeEqual } from 'node:crypto';

/** The value of a dialplan variable is limited to 4096 characters, including everything around this text. */
const mostBytes = 2_250;
/** Longer than the other party is rung, including retries of the dialplan. */
const seconds = 120;

const form = /^([\w-]+)\.([\w-]{43})$/;

const signatureOf = (secret: string, content: string): Buffer =>
  createHmac('sha256', secret).update(`announcement\n${content}`).digest();

/**
 * What the other party of a transfer hears, in a form that the dialplan hands to any engine: signed with what telephony and engines share, the password of the REST
 * interface, so that no one else has an engine speak.
 * @returns undefined where it is too long, or where there is no secret
 */
export function sealAnnouncement(secret: string, text: string, nowMs: number): string | undefined {
  if (secret === '' || Buffer.byteLength(text) > mostBytes) return undefined;
  const until = Math.round(nowMs / 1_000) + seconds;
  const content = Buffer.from(`${until}\n${text}`).toString('base64url');
  return `${content}.${signatureOf(secret, content).toString('base64url')}`;
}

/** @returns undefined for a text that was not sealed with this secret, or is too old */
export function openAnnouncement(secret: string, sealed: string, nowMs: number): string | undefined {
  const [, content = '', signature = ''] = form.exec(sealed) ?? [];
  if (secret === '' || content === '') return undefined;
  if (!timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(secret, content))) return undefined;
  const [until = '', ...lines] = Buffer.from(content, 'base64url').toString().split('\n');
  return Number(until) * 1_000 > nowMs ? lines.join('\n') : undefined;
}
