import { PublicRequests } from '@parley/proto/public';
import { LRUCache } from 'lru-cache';

const nothing: PublicRequests = { requests: [], callers: [], first: 0, cancelled: [] };

/** The encoded field of a caller in PublicRequests, as by the generated encoder. */
const fieldOf = (caller: string): Uint8Array => PublicRequests.encode({ ...nothing, callers: [caller] }).finish();

/** Encoded callers, at 2 KB each. The same caller occurs in many messages, and encoding it costs more than the requests themselves. */
const fields = new LRUCache<string, Uint8Array>({ max: 1_000 });

/** PublicRequests as bytes. */
export function encodeRequests({ callers, ...rest }: PublicRequests): Buffer {
  const pieces: Uint8Array[] = [PublicRequests.encode({ ...rest, callers: [] }).finish()];
  for (const caller of callers) {
    let field = fields.get(caller);
    if (field === undefined) fields.set(caller, (field = fieldOf(caller)));
    pieces.push(field);
  }
  return Buffer.concat(pieces);
}
