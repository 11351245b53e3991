import { parseJsonStrict, validate } from '@parley/contract';
import { internal } from '@parley/errors';
import type { Document } from '@parley/proto/common';

export interface Body<T> {
  /** Strictly parsed, its fields not checked yet. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** Held against its contract class. BadRequestError names the field. */
  readonly body: () => T;
}

/** A request body as its owner checks it. `insecureUrls`: the development profile, http and ws addresses pass. */
export function parseBody<T extends object>(
  cls: new () => T,
  document: Document | undefined,
  insecureUrls: boolean,
): Body<T> {
  if (document === undefined) throw internal(new Error('a body is missing from the message'));
  const asked = parseJsonStrict(document.json);
  return { asked, body: () => validate(cls, asked, { insecureUrls }).value };
}
