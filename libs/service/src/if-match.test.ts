import { requireMatch } from './if-match';

describe('If-Match', () => {
  it.each([
    ['none', ''],
    ['any', '*'],
    ['any, with spaces', ' * '],
    ['the stored one', '"2"'],
    ['the stored one, with spaces', ' "2" '],
    ['a list that holds the stored one', '"1", "2"'],
    ['a list without spaces', '"1","2","3"'],
  ])('passes for %s', (_case, header) => {
    expect(() => requireMatch(header, '"2"')).not.toThrow();
  });

  it.each([
    ['an earlier one', '"1"'],
    ['a list of others', '"1", "3"'],
    ['the stored one as a weak tag', 'W/"2"'],
    ['the stored one without quotes', '2'],
    ['one that begins with the stored one', '"22"'],
    ['an empty list', ','],
    ['spaces', ' '],
  ])('is a conflict for %s', (_case, header) => {
    expect(() => requireMatch(header, '"2"')).toThrow(
      expect.objectContaining({ code: 'ConflictError', status: 409 }) as Error,
    );
  });
});
