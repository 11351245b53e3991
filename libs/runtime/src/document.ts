import { internal } from '@parley/errors';
import type { Document } from '@parley/proto/common';

/** A `Document` for transmission: JSON text (bytes and strings are used unchanged) and the name of its contract class. */
export function documentOf(schema: string, json: Buffer | string | object): Document {
  if (Buffer.isBuffer(json)) return { json, schema };
  return { json: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)), schema };
}

/**
 * The value of a document that its sender has already validated; its type is asserted, not checked. A missing document or invalid JSON is an error of the
 * platform: `internal_error`.
 */
export function jsonOf<T>(document: Document | undefined): T {
  if (document === undefined) throw internal(new Error('a document is missing in the message'));
  try {
    return JSON.parse(document.json.toString('utf8')) as T;
  } catch (cause) {
    throw internal(cause);
  }
}
