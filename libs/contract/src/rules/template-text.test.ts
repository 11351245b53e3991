import type { MessageTemplate } from '../objects/message-template';
import { renderTemplate, templateError, templateLanguage, templateNames, type TemplateMessage } from './template-text';

describe('language: the text of a template', () => {
  const texts = { en: 'e', et: 't', 'de-AT': 'a', de: 'd', fr: 'f' };
  it.each<[string, string, string, string | undefined]>([
    ['de-AT', 'en', 'de-AT', 'the language itself'],
    ['DE_at', 'en', 'de-AT', 'whatever the case'],
    ['et-EE', 'en', 'et', 'its base language'],
    ['de-CH', 'en', 'de', 'its base language'],
    ['es-MX', 'fr', 'fr', 'the primary language of the agent'],
    ['', 'fr', 'fr', 'the primary language where none is named'],
    ['es', 'fr-CA', 'de', 'the first code, for a primary language has no base'],
    ['es', 'it', 'de', 'the first code'],
    ['', '', 'de', 'the first code'],
  ])('%s with primary %s: %s (%s)', (language, primary, expected) => {
    expect(templateLanguage(texts, language, primary)).toBe(expected);
  });

  it('there is none without texts', () => expect(templateLanguage({}, 'en', 'en')).toBeUndefined());
});

it.each([
  ['', []],
  ['Hi {{a}} and {{ b_1 }}, {{a}}', ['a', 'b_1']],
  ['{{1a}} {a} {{a b}} {{}}', []],
])('names in %j', (text, names) => expect(templateNames(text)).toEqual(names));

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

describe('slots, variables: rendered', () => {
  it.each<[string, Partial<TemplateMessage>, string]>([
    ['slot and variable', {}, 'Hi Ada, hello  '],
    ['a number', { variables: { who: 'Ada', count: 3 } }, 'Hi Ada, hello  3'],
    ['a protected variable of the call', { own: { code: '77', who: 'Bob' } }, 'Hi Ada, hello 77 '],
    ['a slot at its length, in code points', { slots: { note: '😀😀😀😀😀' } }, 'Hi Ada, 😀😀😀😀😀  '],
    ['an empty slot', { slots: { note: '' } }, 'Hi Ada,   '],
    ['braces in a value are text', { variables: { who: '{{code}}' }, own: { code: 'x' } }, 'Hi {{code}}, hello x '],
    ['a text that references nothing needs nothing', { language: 'de', slots: {}, variables: {} }, 'Hallo'],
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
  ])('400 names %s in %j', (field, change) => {
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
])('the error of a template: %s', (field, change) => {
  const found = templateError({ ...template, ...change });
  expect(found?.split(' ')[0]).toBe(field);
});
