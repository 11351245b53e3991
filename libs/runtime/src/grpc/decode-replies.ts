import { PublicAnswer, PublicReplies, PublicReply } from '@parley/proto/public';

/** Up to this size, the generated decoder is faster. */
const SMALL_BYTES = 8 * 1024;

/** The tags of the nested fields that contain a body: the replies of a message, the answer of a reply, the body of an answer. */
const [REPLY, ANSWER, BODY] = [0x0a, 0x12, 0x0a];

/**
 * Decodes PublicReplies. The generated decoder copies each body; for large messages, such as pages of lists, this function returns bodies that are slices of
 * the message.
 * @throws Error if the bytes are not a valid message
 */
export function decodeReplies(bytes: Buffer): PublicReplies {
  if (bytes.length <= SMALL_BYTES) return PublicReplies.decode(bytes);
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
