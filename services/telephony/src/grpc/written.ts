import type { WrittenDocument } from '@parley/proto/telephony';
import { documentOf } from '@parley/runtime';
import type { Written } from '../usecases/wallet';

/** What a write answers, as it travels. */
export const written = (schema: string, { body, etag, replayed, ignored }: Written): WrittenDocument => ({
  document: documentOf(schema, body),
  etag,
  replayed,
  ignoredFields: [...ignored],
});
