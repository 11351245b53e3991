/** Tests what the console's list of calls is made of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Listing, RowKeys } from '../services/console/web/src/parts/listing.mts';

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

await test('rows that stay keep their keys, and rows that enter take those of rows that left', () => {
  const keys = new RowKeys();
  assert.deepEqual(keys.of(['a', 'b', 'c']), [0, 1, 2]);
  assert.deepEqual(keys.of(['b', 'c', 'd']), [1, 2, 0]);
  assert.deepEqual(keys.of(['x', 'b', 'c', 'd']), [3, 1, 2, 0]);
  assert.deepEqual(keys.of(['p', 'q', 'r', 's']), [3, 1, 2, 0]);
  assert.deepEqual(keys.of([]), []);
});
