import { PublicReplies, type PublicReply } from '@parley/proto/public';
import { encodeReplies } from './encode-replies';

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
