import { PublicRequests } from '@parley/proto/public';
import { LRUCache } from 'lru-cache';

const nothing: PublicRequests = { requests: [], callers: [], first: 0, cancelled: [] };

/** The tag of a caller in PublicRequests, as the generated encoder writes it. */
const fieldOf = (caller: string): Uint8Array => PublicRequests.encode({ ...nothing, callers: [caller] }).finish();

/** Callers as bytes, at 2 KB each. The text of a caller is the same for many messages, and writing it costs more than the requests next to it. */
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
