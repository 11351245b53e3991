import { covers } from './language';

describe('languages that a component supports', () => {
  it.each([
    [['de'], 'de', true],
    [['de'], 'de-AT', true],
    [['de'], 'DE_at', true],
    [['zh-TW'], 'zh', true],
    [['zh-TW'], 'zh-TW', true],
    [['zh-TW'], 'zh-CN', false],
    [['en'], 'de', false],
    [['e'], 'en', false],
    [[], 'en', false],
    [null, 'tlh', true],
  ])('%j supports %s: %s', (supported, language, expected) => {
    expect(covers(supported, language)).toBe(expected);
  });
});
