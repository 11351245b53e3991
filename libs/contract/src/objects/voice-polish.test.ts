import {
  accepts,
  booleanField,
  closedObject,
  enumField,
  everyFieldHasRows,
  integerField,
  listField,
  objectField,
  refuses,
  textField,
  type Subject,
} from '../../test/rule-table';
import { AgentVoicePolish, deliveries, toolWaitModes } from './voice-polish';

const subject: Subject = { cls: AgentVoicePolish };

enumField(subject, 'delivery', deliveries);
textField(subject, 'end_of_call_phrase', { max: 300 });
refuses(subject, 'end_of_call_phrase', ['a\nb', 'a\u0007b', '\u009f']);
closedObject(subject);

describe.each(['acknowledgements', 'tool_wait', 'unrecognised_speech', 'model_unresponsive'])('%s', (section) => {
  objectField(subject, section, {});
  accepts(subject, section, [null]);
  closedObject(subject, section);
});

describe.each(['acknowledgements.phrases', 'tool_wait.phrases'])('%s', (path) => {
  listField(subject, path, { min: 0, max: 6 }, (index) => 'abcdef'.charAt(index) || 'x');
  textField(subject, `${path}[0]`, { min: 1, max: 40 });
  accepts(subject, `${path}[0]`, ['Ähm, einen Moment.', 'もう少々お待ちください', 'لحظة من فضلك', '一会儿', '😀']);
  refuses(subject, `${path}[0]`, [
    '5 minutes',
    '٥',
    '५',
    '５',
    'x²',
    '½',
    '𝟙',
    '$',
    'cost €',
    '￥',
    '₹',
    '฿',
    '₿',
    'a\nb',
    'a\u0085',
  ]);
});

booleanField(subject, 'acknowledgements.enabled');
integerField(subject, 'acknowledgements.delay_ms', { min: 600, max: 3000 });
enumField(subject, 'tool_wait.mode', toolWaitModes);
integerField(subject, 'tool_wait.delay_ms', { min: 600, max: 3000 });
booleanField(subject, 'unrecognised_speech.enabled');
integerField(subject, 'unrecognised_speech.max_per_call', { min: 1, max: 5 });
textField(subject, 'unrecognised_speech.phrase', { max: 300 });
refuses(subject, 'unrecognised_speech.phrase', ['a\nb', 'a\tb']);

describe('tool_wait.phrases by mode', () => {
  accepts(subject, 'tool_wait', [
    { mode: 'acknowledge', phrases: ['a'] },
    { phrases: ['a'] },
    { mode: 'sound', delay_ms: 600 },
  ]);
  refuses(subject, 'tool_wait', [
    { mode: 'sound', phrases: ['a'] },
    { mode: 'sound', phrases: [] },
  ]);
});

accepts(subject, 'model_unresponsive.seconds', [0, 10, 10.5, 120]);
refuses(subject, 'model_unresponsive.seconds', [
  -1,
  0.001,
  1,
  9.999,
  120.001,
  '0',
  null,
  true,
  Number.NaN,
  Number.POSITIVE_INFINITY,
]);

everyFieldHasRows(subject, {
  'acknowledgements.enabled': false,
  'acknowledgements.delay_ms': 1200,
  'tool_wait.mode': 'off',
  'tool_wait.delay_ms': 1000,
  'unrecognised_speech.max_per_call': 2,
  'model_unresponsive.seconds': 30,
});
