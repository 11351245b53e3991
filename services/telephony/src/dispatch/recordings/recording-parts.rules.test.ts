import { limits } from '@parley/contract';
import type { AppError, FieldError } from '@parley/errors';
import {
  areAll,
  durationOf,
  lasts,
  partFieldsOf,
  placeIn,
  withoutGap,
  type RecordingPart,
} from './recording-parts.rules';

const partOf = (part: number, stored = true, sizeBytes = 10): RecordingPart => ({
  part,
  stored,
  sizeBytes,
  sha256: '',
});

const refused = (write: Partial<Parameters<typeof partFieldsOf>[0]>): [string, string][] => {
  try {
    partFieldsOf({ part: '1', epoch: 1, content: Buffer.alloc(2), ...write });
  } catch (error) {
    const { fields, status } = error as AppError;
    expect(status).toBe(400);
    return (fields['errors'] as FieldError[]).map(({ path, code }) => [path, code]);
  }
  return [];
};

describe('fields of an uploaded recording part', () => {
  it.each<[string, Partial<Parameters<typeof partFieldsOf>[0]>, [string, string][]]>([
    ['accepts part 1', { part: '1' }, []],
    ['accepts the last part', { part: '1740' }, []],
    ['rejects a part beyond the last', { part: '1741' }, [['n', 'too_large']]],
    ['rejects part 0', { part: '0' }, [['n', 'type']]],
    ['rejects a negative part', { part: '-1' }, [['n', 'type']]],
    ['rejects a part with a leading zero', { part: '01' }, [['n', 'type']]],
    ['rejects a fractional part', { part: '1.5' }, [['n', 'type']]],
    ['rejects a part that is not a number', { part: 'org_x' }, [['n', 'type']]],
    ['rejects epoch 0', { epoch: 0 }, [['epoch', 'required']]],
    ['accepts one frame', { content: Buffer.alloc(2) }, []],
    ['rejects an empty body', { content: Buffer.alloc(0) }, [['body', 'too_short']]],
    ['rejects an incomplete frame', { content: Buffer.alloc(3) }, [['body', 'format']]],
    [
      'reports several errors',
      { part: 'x', epoch: 0, content: Buffer.alloc(1) },
      [
        ['n', 'type'],
        ['epoch', 'required'],
        ['body', 'format'],
      ],
    ],
  ])('%s', (_what, write, errors) => expect(refused(write)).toEqual(errors));
});

it('a recording of the longest call fits the size limit and has 27 parts of 1 MiB', () => {
  expect(durationOf(limits.recordingBytes)).toBe(1_740_000);
  expect(Math.ceil(limits.recordingBytes / limits.recordingPartBytes)).toBe(27);
});

it.each([
  ['no part', [], 0],
  ['one part', [partOf(1)], 1],
  ['parts in another order', [partOf(2), partOf(1)], 2],
  ['parts without the first', [partOf(2)], 0],
  ['parts with a gap', [partOf(1), partOf(3)], 1],
  ['parts of which one is not stored', [partOf(1), partOf(2, false), partOf(3)], 1],
])('%s: the parts before the first gap', (_what, parts, length) => expect(withoutGap(parts)).toHaveLength(length));

it.each([
  [[partOf(1), partOf(2)], 2, true],
  [[partOf(1), partOf(2)], 1, false],
  [[partOf(1), partOf(2)], 3, false],
  [[partOf(1), partOf(3)], 2, false],
  [[partOf(1), partOf(2, false)], 2, false],
])('%j is a complete recording of %d parts: %s', (parts, count, all) => expect(areAll(parts, count)).toBe(all));

it.each([
  [16_000, 1_000, true],
  [16_000, 1_020, true],
  [16_000, 1_021, false],
  [16_000, 980, true],
  [16_000, 979, false],
])('%d bytes match a reported duration of %d ms: %s', (bytes, ms, answer) => expect(lasts(bytes, ms)).toBe(answer));

it.each([
  [0, 100, { part: 1, from: 0, to: 10 }],
  [3, 4, { part: 1, from: 3, to: 7 }],
  [10, 1, { part: 2, from: 0, to: 1 }],
  [19, 100, { part: 2, from: 9, to: 10 }],
  [20, 1, undefined],
])('the range at byte %d of at most %d bytes is in %j', (from, most, place) =>
  expect(placeIn([partOf(1), partOf(2)], from, most)).toEqual(place),
);
