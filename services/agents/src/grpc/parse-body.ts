import { parseJsonStrict, validate, type Validated } from '@parley/contract';
import { internal } from '@parley/errors';
import type { Document } from '@parley/proto/common';

export interface BodyOptions {
  /** The development profile: http and ws addresses pass. */
  readonly insecureUrls: boolean;
}

/** A request body as its owner checks it: strictly parsed, then held against its contract class. BadRequestError names the field. */
export function parseBody<T extends object>(
  cls: new () => T,
  document: Document | undefined,
  { insecureUrls }: BodyOptions,
): T {
  if (document === undefined) throw internal(new Error('a body is missing from the message'));
  return validate(cls, parseJsonStrict(document.json), { insecureUrls }).value;
}

/** The same for a route that the interface does not show: names that nobody knows are ignored, and told. */
export function parseLenient<T extends object>(
  cls: new () => T,
  document: Document | undefined,
  { insecureUrls }: BodyOptions,
): Validated<T> {
  if (document === undefined) throw internal(new Error('a body is missing from the message'));
  return validate(cls, parseJsonStrict(document.json), { insecureUrls, unknown: 'ignore' });
}

/** The same, read when it is asked for: names that nobody knows are in `ignored` from then on. */
export function lenientBody<T extends object>(
  cls: new () => T,
  document: Document | undefined,
  options: BodyOptions,
): { readonly body: () => T; readonly ignored: string[] } {
  const ignored: string[] = [];
  let parsed: Validated<T> | undefined;
  const body = (): T => {
    if (parsed === undefined) {
      parsed = parseLenient(cls, document, options);
      ignored.push(...parsed.ignored);
    }
    return parsed.value;
  };
  return { body, ignored };
}
