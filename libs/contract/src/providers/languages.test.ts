import { deepgramNova3, listedCode } from './languages';

it.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['pt_BR', 'pt'],
  ['NL-be', 'nl-BE'],
  ['zh-hk', 'zh-HK'],
  ['zh-Hant-TW', 'zh'],
  ['tlh', 'tlh'],
])('a request in %s has the code %s', (language, code) => expect(listedCode(deepgramNova3, language)).toBe(code));

it('a base language has the code of a regional form if only that is listed', () =>
  expect(listedCode(['es-419', 'en'], 'es')).toBe('es-419'));
