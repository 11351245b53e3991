import { PublicRequests } from '@parley/proto/public';
import { LRUCache } from 'lru-cache';

const nothing: PublicRequests = { requests: [], callers: [], first: 0, cancelled: [] };

/** A caller in PublicRequests, encoded as the generated encoder would. */
const fieldOf = (caller: string): Uint8Array => PublicRequests.encode({ ...nothing, callers: [caller] }).finish();

/** Cache of encoded callers; each needs 2 KB. The same caller occurs in many messages, and encoding it costs more than encoding the requests themselves. */
const fields = new LRUCache<string, Uint8Array>({ max: 1_000 });

/** Encodes PublicRequests. */
export function encodeRequests({ callers, ...rest }: PublicRequests): Buffer {
  const pieces: Uint8Array[] = [PublicRequests.encode({ ...rest, callers: [] }).finish()];
  for (const caller of callers) {
    let field = fields.get(caller);
    if (field === undefined) fields.set(caller, (field = fieldOf(caller)));
    pieces.push(field);
  }
  return Buffer.concat(pieces);
}
