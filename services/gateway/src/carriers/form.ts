import { AppError, badRequest } from '@parley/errors';

/** Maximum of fields of a form; a carrier's webhook has about thirty short ones. */
const mostNames = 200;

/**
 * Parses application/x-www-form-urlencoded strictly: names must be unique, escapes complete, and text well-formed UTF-8.
 * @throws BadRequestError; PayloadTooLargeError over 200 names
 */
export function parseForm(contentType: string | undefined, bytes: Buffer): Record<string, string> {
  const media = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  if (media !== 'application/x-www-form-urlencoded') throw badRequest('the body must be a form');
  const text = bytes.toString('latin1');
  const pairs = text === '' ? [] : text.split('&');
  if (pairs.length > mostNames) throw tooLarge();
  const form = new Map<string, string>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    if (name === '' || form.has(name)) throw badRequest('the form must not contain a name twice');
    form.set(name, equals === -1 ? '' : decoded(pair.slice(equals + 1)));
  }
  return Object.fromEntries(form);
}

/** Non-ASCII characters must be escaped: raw bytes are refused, like malformed escapes. */
function decoded(part: string): string {
  if (/[^\x20-\x7e]/.test(part)) throw badRequest('the form is not URL-encoded');
  try {
    const text = decodeURIComponent(part.replaceAll('+', ' '));
    if (text.includes('\0')) throw badRequest('the form contains the character U+0000');
    return text;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw badRequest('the form is not URL-encoded');
  }
}

const tooLarge = (): AppError => new AppError('PayloadTooLargeError', 'the form is too large');
