import { PathIndex } from './path-index';
import type { PathEntry } from './route-table';

const entry = (path: string): PathEntry => ({ path, methods: new Map(), allow: [] });

describe('PathIndex', () => {
  const index = new PathIndex(
    [
      '/v1/things',
      '/v1/things/special',
      '/v1/things/{thing_id}',
      '/v1/things/{thing_id}/parts/{part_id}',
      '/v1/things/{id}/retry',
      '/v1/things/special/parts',
    ].map(entry),
  );

  it.each([
    ['/v1/things', '/v1/things', {}],
    ['/v1/things/special', '/v1/things/special', {}],
    ['/v1/things/a', '/v1/things/{thing_id}', { thing_id: 'a' }],
    ['/v1/things/Special', '/v1/things/{thing_id}', { thing_id: 'Special' }],
    ['/v1/things/a%2Fb%20c', '/v1/things/{thing_id}', { thing_id: 'a/b c' }],
    ['/v1/things/a/parts/b', '/v1/things/{thing_id}/parts/{part_id}', { thing_id: 'a', part_id: 'b' }],
    ['/v1/things/a/retry', '/v1/things/{id}/retry', { id: 'a' }],
    ['/v1/things/special/parts', '/v1/things/special/parts', {}],
    ['/v1/things/special/parts/b', '/v1/things/{thing_id}/parts/{part_id}', { thing_id: 'special', part_id: 'b' }],
    ['/v1/things/special/retry', '/v1/things/{id}/retry', { id: 'special' }],
    ['/v1/things/__proto__', '/v1/things/{thing_id}', { thing_id: '__proto__' }],
  ])('finds %s', (path, declared, params) => {
    const found = index.find(path);
    expect(found?.entry.path).toBe(declared);
    expect(found?.params).toEqual(params);
  });

  it.each([
    '',
    '/',
    '*',
    '/v1',
    '/V1/things',
    '/v1/things/',
    '//v1/things',
    '/v1//things',
    '/v1/things/a/',
    '/v1/things//parts/b',
    '/v1/things/a/parts',
    '/v1/things/a/parts/b/c',
    '/v1/%74hings',
    '/v1/things/%',
    '/v1/things/%ff',
    '/v1/things/a/parts/%c3%28',
  ])('finds nothing at %p', (path) => {
    expect(index.find(path)).toBeUndefined();
  });
});
