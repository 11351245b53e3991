/** Tests what the console's list of calls is made of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Listing, RowKeys, withoutFar, withPage } from '../services/console/web/src/parts/listing.mts';

const pages = [{ data: ['a', 'b', 'c'] }, { data: [] }, { data: ['d'] }, { data: ['e', 'f'] }];

await test('a listing returns the records of any range, over pages of any length', () => {
  const listing = new Listing(pages);
  const all = pages.flatMap(({ data }) => data);
  assert.equal(listing.length, all.length);
  for (let first = 0; first <= all.length; first += 1)
    for (let end = first; end <= all.length + 2; end += 1)
      assert.deepEqual(listing.slice(first, end), all.slice(first, end), `${first} to ${end}`);
  assert.deepEqual(new Listing<string>([]).slice(0, 10), []);
});

await test('pages far from the shown one lose their records, but no row moves', () => {
  const all = pages.flatMap(({ data }) => data);
  const kept = withoutFar<{ data: string[]; dropped?: number }>(
    [...pages, { data: ['g', 'h'] }, { data: ['i'] }],
    4,
    0,
  );
  assert.deepEqual(
    kept.map(({ data, dropped }) => dropped ?? data.join('')),
    ['abc', 0, 1, 2, 'gh', 1],
  );
  const listing = new Listing(kept);
  assert.equal(listing.length, all.length + 3);
  assert.equal(listing.kept, 2);
  assert.deepEqual(listing.slice(1, 9), ['b', 'c', undefined, undefined, undefined, 'g', 'h', undefined]);
  assert.deepEqual(listing.slice(4, 6), [undefined, undefined]);
  assert.deepEqual(listing.slice(5, 8), [undefined, 'g', 'h']);
  assert.equal(listing.droppedPage(0, 3), undefined);
  assert.equal(listing.droppedPage(5, 7), 3);
  assert.equal(listing.droppedPage(6, 8), undefined);
  assert.equal(listing.droppedPage(7, 9), 5);
});

await test('a page that was read again takes its place, and if its records changed, the list continues after it', () => {
  const page = (text: string, next: string | null) => ({ data: [...text], next_cursor: next });
  const list = {
    pages: [page('abc', 'c'), { data: [], dropped: 2, next_cursor: 'e' }, page('fg', null)],
    pageParams: [undefined, 'c', 'e'],
  };
  assert.deepEqual(withPage(list, 1, page('de', 'e')), {
    ...list,
    pages: [page('abc', 'c'), page('de', 'e'), page('fg', null)],
  });
  assert.deepEqual(withPage(list, 1, page('df', 'f')), {
    pages: [page('abc', 'c'), page('df', 'f')],
    pageParams: [undefined, 'c'],
  });
});

await test('rows that stay keep their keys, and rows that enter take those of rows that left', () => {
  const keys = new RowKeys();
  assert.deepEqual(keys.of(['a', 'b', 'c']), [0, 1, 2]);
  assert.deepEqual(keys.of(['b', 'c', 'd']), [1, 2, 0]);
  assert.deepEqual(keys.of(['x', 'b', 'c', 'd']), [3, 1, 2, 0]);
  assert.deepEqual(keys.of(['p', 'q', 'r', 's']), [3, 1, 2, 0]);
  assert.deepEqual(keys.of([]), []);
});
