import type { MessageTemplate } from '../objects/message-template';
import { renderTemplate, templateError, templateLanguage, templateNames, type TemplateMessage } from './template-text';

describe('language of the text of a message template', () => {
  const texts = { en: 'e', et: 't', 'de-AT': 'a', de: 'd', fr: 'f' };
  it.each<[string, string, string, string | undefined]>([
    ['de-AT', 'en', 'de-AT', 'the same language'],
    ['DE_at', 'en', 'de-AT', 'ignoring case and separator'],
    ['et-EE', 'en', 'et', 'its base language'],
    ['de-CH', 'en', 'de', 'its base language'],
    ['es-MX', 'fr', 'fr', 'the primary language of the agent'],
    ['', 'fr', 'fr', 'the primary language, if no language is given'],
    ['es', 'fr-CA', 'de', 'the first language by code, because the base of the primary language is not used'],
    ['es', 'it', 'de', 'the first language by code'],
    ['', '', 'de', 'the first language by code'],
  ])('for %s with primary language %s: %s (%s)', (language, primary, expected) => {
    expect(templateLanguage(texts, language, primary)).toBe(expected);
  });

  it('is undefined without texts', () => expect(templateLanguage({}, 'en', 'en')).toBeUndefined());
});

it.each([
  ['', []],
  ['Hi {{a}} and {{ b_1 }}, {{a}}', ['a', 'b_1']],
  ['{{1a}} {a} {{a b}} {{}}', []],
])('templateNames(%j) is %j', (text, names) => expect(templateNames(text)).toEqual(names));

const template: Pick<MessageTemplate, 'texts' | 'slots' | 'variables'> = {
  texts: { en: 'Hi {{who}}, {{note}} {{code}} {{count}}', de: 'Hallo' },
  slots: [{ name: 'note', max_length: 5 }],
  variables: [
    { name: 'who', required: true },
    { name: 'count', required: false, type: 'number' },
    { name: 'code', required: false, protected: true },
  ],
};
const message: TemplateMessage = {
  language: 'en',
  primary: '',
  slots: { note: 'hello' },
  variables: { who: 'Ada' },
  own: {},
};

describe('rendering of a message template', () => {
  it.each<[string, Partial<TemplateMessage>, string]>([
    ['inserts slots and variables', {}, 'Hi Ada, hello  '],
    ['inserts a number', { variables: { who: 'Ada', count: 3 } }, 'Hi Ada, hello  3'],
    [
      'inserts protected variables of the call, and not others of the call',
      { own: { code: '77', who: 'Bob' } },
      'Hi Ada, hello 77 ',
    ],
    ['measures the length of a slot in code points', { slots: { note: '😀😀😀😀😀' } }, 'Hi Ada, 😀😀😀😀😀  '],
    ['accepts an empty slot', { slots: { note: '' } }, 'Hi Ada,   '],
    [
      'does not replace placeholders within values',
      { variables: { who: '{{code}}' }, own: { code: 'x' } },
      'Hi {{code}}, hello x ',
    ],
    ['requires no values for a text without placeholders', { language: 'de', slots: {}, variables: {} }, 'Hallo'],
  ])('%s', (_, change, text) => expect(renderTemplate(template, { ...message, ...change }).text).toBe(text));

  it.each<[string, Partial<TemplateMessage>]>([
    ['slots.note', { slots: {} }],
    ['slots.note', { slots: { note: 'toolong' } }],
    ['slots.other', { slots: { note: 'a', other: 'b' } }],
    ['variables.who', { variables: {} }],
    ['variables.who', { variables: { who: 5 } }],
    ['variables.who', { variables: { who: null } }],
    ['variables.count', { variables: { who: 'a', count: '3' } }],
    ['variables.code', { variables: { who: 'a', code: '1' } }],
    ['variables.other', { variables: { who: 'a', other: 'b' } }],
    ['variables.who', { variables: {}, own: { who: 'Bob' } }],
  ])('names the field %s in a 400 for %j', (field, change) => {
    expect(() => renderTemplate(template, { ...message, ...change })).toThrow(
      new RegExp(`^${field.replace('.', '\\.')} `),
    );
  });
});

it.each<[string | undefined, Partial<typeof template>]>([
  [undefined, {}],
  ['slots[1].name', { slots: [template.slots[0]!, template.slots[0]!] }],
  ['variables[0].name', { variables: [{ name: 'note', required: true }] }],
  ['texts.en', { variables: [] }],
  ['texts.EN', { texts: { en: 'a', EN: 'b' } }],
])('templateError names %s', (field, change) => {
  const found = templateError({ ...template, ...change });
  expect(found?.split(' ')[0]).toBe(field);
});
