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
  ])('%s on a publication in en-US and de', (agentSnapshot, expected) =>
    expect(speaks(publication, agentSnapshot)).toBe(expected),
  );

  it('is the primary one on a publication without profiles', () => {
    const live = { language: 'de', starting_language: null, profiles: [] };
    expect([speaks(live, 'de-CH'), speaks(live, 'en')]).toEqual([true, false]);
  });
});
