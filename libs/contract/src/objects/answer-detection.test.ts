import {
  accepts,
  closedObject,
  everyFieldHasRows,
  enumField,
  refuses,
  textField,
  type Subject,
} from '../../test/rule-table';
import { jsonSchemaOf } from '../schema/json-schema-of';
import { AgentAnswerDetection, nonHumanAudioModes, voicemailModes } from './answer-detection';

const subject: Subject = { cls: AgentAnswerDetection };
const path = 'voicemail_messages';

/** Messages with three-letter codes as keys. */
const messages = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `a${String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))}`,
      'x',
    ]),
  );

enumField(subject, 'non_human_audio', nonHumanAudioModes);
enumField(subject, 'voicemail', voicemailModes);
closedObject(subject);
textField(subject, `${path}.de`, { max: 400 });
accepts(subject, path, [{}, messages(32), { de: 'a', 'de-DE': 'b', 'zh_Hant-TW': 'c', DE: '', fil: '\n' }, null]);
refuses(subject, path, [
  messages(33),
  [],
  ['x'],
  'x',
  { d: 'x' },
  { deutsch: 'x' },
  { 'de-': 'x' },
  { '12': 'x' },
  { 'de DE': 'x' },
]);
refuses(subject, path, [{ [`de-${'x'.repeat(33)}`]: 'x' }, { constructor: 'x' }, { de: 5 }, { de: null }]);

// The length is measured after white space was collapsed.
accepts(subject, `${path}.de`, [`  ${'a '.repeat(199)}\t\n  ab  `]);
refuses(subject, `${path}.de`, [`${'a '.repeat(200)}b`]);

it('the JSON schema contains no defaults', () => {
  expect(JSON.stringify(jsonSchemaOf(AgentAnswerDetection))).not.toContain('"default"');
});

everyFieldHasRows(subject, { non_human_audio: 'shadow', voicemail: 'shadow' });
