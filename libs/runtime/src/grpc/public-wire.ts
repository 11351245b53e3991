/** Encodes and decodes the messages of PublicService, with fewer copies than the generated code. */
import { PublicAnswer, PublicReplies, PublicReply, PublicRequests } from '@parley/proto/public';
import { LRUCache } from 'lru-cache';

/** The name of a public request in metrics, spans and logs. */
export const publicRpcName = (route: string): string => `PublicService/${route}`;

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

/** Up to these sizes, the generated code is faster. */
const SMALL_TO_ENCODE = 4 * 1024;
const SMALL_TO_DECODE = 8 * 1024;

/** The tags of the nested fields that contain a body: the replies of a message, the answer of a reply, the body of an answer. */
const [REPLY, ANSWER, BODY] = [0x0a, 0x12, 0x0a];

const emptyBody = Buffer.alloc(0);

/**
 * Encodes PublicReplies. The generated encoder doubles its buffer repeatedly, moves a body once for each enclosing message and copies the result twice. This
 * function copies the bodies of large responses, such as pages of lists, only once.
 */
export function encodeReplies({ replies, leaving }: PublicReplies): Buffer {
  const large = replies.some(
    ({ outcome }) => outcome?.$case === 'answer' && outcome.value.body.length > SMALL_TO_ENCODE,
  );
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

/**
 * Decodes PublicReplies. The generated decoder copies each body; for large messages, such as pages of lists, this function returns bodies that are slices of
 * the message.
 * @throws Error if the bytes are not a valid message
 */
export function decodeReplies(bytes: Buffer): PublicReplies {
  if (bytes.length <= SMALL_TO_DECODE) return PublicReplies.decode(bytes);
  const { taken, rest } = divide(bytes, REPLY);
  return { ...PublicReplies.decode(rest), replies: taken.map(replyOf) };
}

function replyOf(bytes: Buffer): PublicReply {
  const { taken, rest } = divide(bytes, ANSWER);
  const reply = PublicReply.decode(rest);
  const [answer] = taken;
  return answer === undefined ? reply : { ...reply, outcome: { $case: 'answer', value: answerOf(answer) } };
}

function answerOf(bytes: Buffer): PublicAnswer {
  const { taken, rest } = divide(bytes, BODY);
  const answer = PublicAnswer.decode(rest);
  return { ...answer, body: taken[0] ?? answer.body };
}

interface Divided {
  /** The values of the fields with the given tag. */
  readonly taken: readonly Buffer[];
  /** The bytes of all other fields. */
  readonly rest: Buffer;
}

/** Splits a message into the values of length-delimited fields with a given one-byte tag, and the rest. */
function divide(bytes: Buffer, tag: number): Divided {
  const taken: Buffer[] = [];
  const rest: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const begin = at;
    const [found, afterTag] = varint(bytes, at);
    const [value, end] = fieldAt(bytes, found, afterTag);
    if (found === tag) taken.push(bytes.subarray(value, end));
    else rest.push(bytes.subarray(begin, end));
    at = end;
  }
  return { taken, rest: Buffer.concat(rest) };
}

/** The start and end of a field's value. */
function fieldAt(bytes: Buffer, tag: number, at: number): readonly [value: number, end: number] {
  const [length, value] = lengthOf(bytes, tag & 7, at);
  const end = value + length;
  if (end > bytes.length) throw new Error('a field is longer than its message');
  return [value, end];
}

/** The length of a value and its position, depending on the wire type. */
function lengthOf(bytes: Buffer, wireType: number, at: number): readonly [length: number, value: number] {
  if (wireType === 0) return [varint(bytes, at)[1] - at, at];
  if (wireType === 1) return [8, at];
  if (wireType === 2) return varint(bytes, at);
  if (wireType === 5) return [4, at];
  throw new Error(`a field has the wire type ${wireType}`);
}

/** A varint of up to 32 bits, and the position after it. */
function varint(bytes: Buffer, begin: number): readonly [value: number, end: number] {
  let value = 0;
  for (let at = begin; at < bytes.length && at < begin + 10; at += 1) {
    const byte = bytes[at] as number;
    if (at < begin + 5) value += (byte & 0x7f) * 2 ** (7 * (at - begin));
    if (byte < 0x80) return [value, at + 1];
  }
  throw new Error('an unterminated varint');
}
