import { requireMatch } from './if-match';

describe('If-Match', () => {
  it.each([
    ['an empty header', ''],
    ['*', '*'],
    ['* with spaces', ' * '],
    ['the current tag', '"2"'],
    ['the current tag with spaces', ' "2" '],
    ['a list with the current tag', '"1", "2"'],
    ['a list without spaces', '"1","2","3"'],
  ])('accepts %s', (_case, header) => {
    expect(() => requireMatch(header, '"2"')).not.toThrow();
  });

  it.each([
    ['an earlier tag', '"1"'],
    ['a list of other tags', '"1", "3"'],
    ['the current tag as a weak tag', 'W/"2"'],
    ['the current tag without quotes', '2'],
    ['a tag that begins with the current one', '"22"'],
    ['an empty list', ','],
    ['spaces', ' '],
  ])('throws a conflict for %s', (_case, header) => {
    expect(() => requireMatch(header, '"2"')).toThrow(
      expect.objectContaining({ code: 'ConflictError', status: 409 }) as Error,
    );
  });
});
