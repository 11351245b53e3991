import { changed, cursorOf, nothingSeen, readCursor, seenAfter } from './cursor.rules';

const turns = (count: number): string[] => Array.from({ length: count }, (_, n) => `turn ${n}`);

describe('what a reader of a call has seen', () => {
  it('is everything at first, and then what is new or not what it was', () => {
    expect(changed(nothingSeen, turns(3))).toEqual(turns(3));
    const seen = seenAfter(nothingSeen, 'answered', turns(3));
    expect(changed(seen, turns(3))).toEqual([]);
    expect(changed(seen, ['turn 0', 'turn 1, cut', 'turn 2', 'turn 3'])).toEqual(['turn 1, cut', 'turn 3']);
  });

  it.each([
    [0, 0],
    [8, 0],
    [9, 1],
    [100, 92],
  ])('keeps the last eight turns as unsettled: of %d it goes on from %d', (count, from) => {
    const seen = seenAfter(nothingSeen, 'answered', turns(count));
    expect([seen.from, seen.digests.length]).toEqual([from, Math.min(8, count)]);
    expect(changed(seen, turns(count).slice(from))).toEqual([]);
  });

  it('travels in a cursor', () => {
    const seen = seenAfter(nothingSeen, 'answered', turns(20));
    expect(readCursor(cursorOf(seen))).toEqual(seen);
    expect(readCursor('')).toEqual(nothingSeen);
  });

  it.each(['x', Buffer.from('answered -1').toString('base64url'), Buffer.from('answered').toString('base64url')])(
    'is no other text: %s',
    (cursor) => {
      expect(() => readCursor(cursor)).toThrow();
    },
  );
});
