import { speaks } from './call-language.rules';

describe('the language of a call', () => {
  const profile = (locale: string) => ({ locale }) as never;
  const publication = { language: 'en-US', starting_language: null, profiles: [profile('en-US'), profile('de')] };

  it.each([
    ['de', true],
    ['DE', true],
    ['de-AT', true],
    ['en-US', true],
    ['en-us', true],
    ['en', false],
    ['en-GB', false],
    ['fr', false],
    ['zz-QQ', false],
  ])('%s is accepted with a publication in en-US and de: %s', (agentSnapshot, expected) =>
    expect(speaks(publication, agentSnapshot)).toBe(expected),
  );

  it('must match the primary language of a publication without profiles', () => {
    const live = { language: 'de', starting_language: null, profiles: [] };
    expect([speaks(live, 'de-CH'), speaks(live, 'en')]).toEqual([true, false]);
  });
});
