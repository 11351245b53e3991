import { PublicReplies, PublicRequests, type PublicReply } from '@parley/proto/public';
import { decodeReplies, encodeReplies, encodeRequests } from './public-wire';

const request = PublicRequests.fromPartial({
  requests: [{ route: 'get-agent', path: ['é'], caller: 2, timeoutMs: 1 }],
  first: 7,
  cancelled: [3, 5],
});

describe('encodeRequests', () => {
  it.each([
    ['without a caller', []],
    ['with one', ['a'.repeat(2_000)]],
    ['with one again, and another', ['a'.repeat(2_000), 'b']],
  ])('gives bytes that the generated decoder reads: %s', (_, callers) => {
    const message = { ...request, callers };
    expect(PublicRequests.decode(encodeRequests(message))).toEqual(message);
  });
});

const answer = (index: number, bytes: number, more: object = {}): PublicReply => ({
  index,
  outcome: {
    $case: 'answer',
    value: { body: Buffer.alloc(bytes, `body ${index} `), etag: '', replayed: false, ...more },
  },
});
const error: PublicReply = { index: 3, outcome: { $case: 'error', value: Buffer.from('{"code":"x"}') } };
const whole = { etag: '"7"', replayed: true };

describe('encodeReplies', () => {
  it.each<[string, PublicReply[]]>([
    ['none', []],
    ['one without a body', [answer(0, 0)]],
    ['one of 4 KiB', [answer(0, 4_096, whole)]],
    ['one above 4 KiB', [answer(0, 4_097, whole)]],
    ['one of 128 KiB', [answer(200, 131_072)]],
    ['one of 3 MiB', [answer(1, 3 * 1_048_576, whole)]],
    [
      'a large one among others',
      [answer(0, 0, whole), answer(1, 20_000, whole), answer(2, 127), error, { index: 4, outcome: undefined }],
    ],
  ])('gives bytes that the generated decoder reads, with leaving true and false: %s', (_, replies) => {
    for (const leaving of [false, true]) {
      const generated = PublicReplies.encode({ replies, leaving }).finish();
      const read = PublicReplies.decode(encodeReplies({ replies, leaving }));
      expect(Buffer.compare(PublicReplies.encode(read).finish(), generated)).toBe(0);
    }
  });
});

const written = (replies: PublicReplies): Buffer => Buffer.from(PublicReplies.encode(replies).finish());

const mixed = [
  answer(0, 0, whole),
  answer(300, 20_000, whole),
  answer(2, 127),
  error,
  { index: 4, outcome: undefined },
];

const messageOf = (replies: PublicReply[]) => ({ replies, leaving: false });

describe('decodeReplies', () => {
  it.each<[string, PublicReply[]]>([
    ['none', []],
    ['one of 4 KiB', [answer(0, 4_096, whole)]],
    ['one of 8 KiB with its overhead', [answer(0, 8_184)]],
    ['one above 8 KiB', [answer(0, 8_192, whole)]],
    ['one of 3 MiB', [answer(1, 3 * 1_048_576, whole)]],
    ['a large one among others', mixed],
    ['a large error', [{ index: 1, outcome: { $case: 'error', value: Buffer.alloc(9_000, 'x') } }]],
  ])('returns what was encoded, by both encoders: %s', (_, replies) => {
    for (const bytes of [encodeReplies(messageOf(replies)), written(messageOf(replies))]) {
      // Compared with `equals`, because Jest compares large buffers byte by byte.
      expect(written(decodeReplies(bytes)).equals(written(messageOf(replies)))).toBe(true);
    }
  });

  it('skips unknown fields of a later version, whatever their type', () => {
    // Unknown fields: number 15 in each wire type, and one with a two-byte tag and a varint of ten bytes.
    const unknown = Buffer.from(
      '78ff01' + '790102030405060708' + '7a020102' + '7d01020304' + '8001ffffffffffffffffff01',
      'hex',
    );
    const bytes = Buffer.concat([unknown, encodeReplies(messageOf(mixed)), unknown]);
    expect(written(decodeReplies(bytes)).equals(written(messageOf(mixed)))).toBe(true);
  });

  it.each([
    ['that are truncated', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['with an endless varint', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(10, 0xff)])],
    ['with an invalid wire type', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from([0x0f])])],
  ])('throws for bytes %s', (_, broken) => {
    const bytes = encodeReplies(messageOf([answer(0, 9_000)]));
    expect(() => decodeReplies(broken(bytes))).toThrow(Error);
  });
});
