import { announcementOf } from './announcements.rules';

const english = { language: 'en', text: 'This call is recorded.' };
const swiss = { language: 'de-CH', text: 'Dieses Gespräch wird aufgenommen, gäll.' };
const german = { language: 'de', text: 'Dieses Gespräch wird aufgezeichnet.' };

it.each([
  ['of the very language', [english, german, swiss], 'de-CH', swiss.text],
  ['whatever its case', [english, swiss], 'DE-ch', swiss.text],
  ['of the same language elsewhere', [english, german], 'de-AT', german.text],
  ['none in another language', [english], 'fr', null],
  ['none in no language', [english], '', null],
])('the announcement is %s', (_, recording_announcements, language, expected) =>
  expect(announcementOf({ recording_announcements }, language)).toBe(expected),
);

it.each([undefined, null])('%s: nothing is announced', (recording_announcements) =>
  expect(announcementOf({ recording_announcements }, 'en')).toBeUndefined(),
);
