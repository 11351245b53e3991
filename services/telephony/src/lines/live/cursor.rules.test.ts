import { changed, cursorOf, nothingSeen, readCursor, seenAfter } from './cursor.rules';

const turns = (count: number): string[] => Array.from({ length: count }, (_, n) => `turn ${n}`);

describe('the cursor of watchCall', () => {
  it('without a cursor all turns are new; later only new or changed turns', () => {
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
  ])('compares only the last eight turns for changes: of %d from %d on', (count, from) => {
    const seen = seenAfter(nothingSeen, 'answered', turns(count));
    expect([seen.from, seen.digests.length]).toEqual([from, Math.min(8, count)]);
    expect(changed(seen, turns(count).slice(from))).toEqual([]);
  });

  it('is encoded and decoded without loss', () => {
    const seen = seenAfter(nothingSeen, 'answered', turns(20));
    expect(readCursor(cursorOf(seen))).toEqual(seen);
    expect(readCursor('')).toEqual(nothingSeen);
  });

  it.each(['x', Buffer.from('answered -1').toString('base64url'), Buffer.from('answered').toString('base64url')])(
    'rejects invalid text: %s',
    (cursor) => {
      expect(() => readCursor(cursor)).toThrow();
    },
  );
});
