import { PublicAnswer, PublicReplies, PublicReply } from '@parley/proto/public';

/** Up to this size, the generated encoder is faster. */
const SMALL_BYTES = 4 * 1024;

/** The tags of the nested fields that contain a body: the replies of a message, the answer of a reply, the body of an answer. */
const [REPLY, ANSWER, BODY] = [0x0a, 0x12, 0x0a];

const emptyBody = Buffer.alloc(0);

/**
 * Encodes PublicReplies. The generated encoder doubles its buffer repeatedly, moves a body once for each enclosing message and copies the result twice. This
 * function copies the bodies of large responses, such as pages of lists, only once.
 */
export function encodeReplies({ replies, leaving }: PublicReplies): Buffer {
  const large = replies.some(({ outcome }) => outcome?.$case === 'answer' && outcome.value.body.length > SMALL_BYTES);
  if (!large) return Buffer.from(PublicReplies.encode({ replies: [...replies], leaving }).finish());
  const pieces: Uint8Array[] = [PublicReplies.encode({ replies: [], leaving }).finish()];
  for (const reply of replies) {
    const parts = partsOf(reply);
    pieces.push(head(REPLY, sizeOf(parts)), ...parts);
  }
  return Buffer.concat(pieces);
}

/** The parts of a reply. The fields of a message may be in any order, so the body comes last. */
function partsOf(reply: PublicReply): Uint8Array[] {
  const { index, outcome } = reply;
  if (outcome?.$case !== 'answer' || outcome.value.body.length === 0) return [PublicReply.encode(reply).finish()];
  const { body } = outcome.value;
  const answer = [PublicAnswer.encode({ ...outcome.value, body: emptyBody }).finish(), head(BODY, body.length), body];
  return [PublicReply.encode({ index, outcome: undefined }).finish(), head(ANSWER, sizeOf(answer)), ...answer];
}

const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, part) => sum + part.length, 0);

/** A tag and a varint length. */
function head(tag: number, length: number): Uint8Array {
  const bytes = [tag];
  let rest = length;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
