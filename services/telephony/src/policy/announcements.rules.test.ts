import { announcementOf } from './announcements.rules';

const english = { language: 'en', text: 'This call is recorded.' };
const swiss = { language: 'de-CH', text: 'Dieses Gespräch wird aufgenommen, gäll.' };
const german = { language: 'de', text: 'Dieses Gespräch wird aufgezeichnet.' };

it.each([
  ['the one of the same locale', [english, german, swiss], 'de-CH', swiss.text],
  ['the one of the same locale in another case', [english, swiss], 'DE-ch', swiss.text],
  ['the one of the same language', [english, german], 'de-AT', german.text],
  ['the one of the same language in another case', [english, german], 'DE-AT', german.text],
  ['null for another language', [english], 'fr', null],
  ['null without a language', [english], '', null],
])('the recording announcement is %s', (_, recording_announcements, language, expected) =>
  expect(announcementOf({ recording_announcements }, language)).toBe(expected),
);

it.each([undefined, null])('with recording_announcements %s there is no announcement', (recording_announcements) =>
  expect(announcementOf({ recording_announcements }, 'en')).toBeUndefined(),
);
