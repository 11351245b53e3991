import { badRequest } from '@parley/errors';
import type { MessageTemplate } from '../objects/message-template';
import { isOfVariableType } from '../objects/variables';
import { codePoints } from './constraints';
import { baseLanguage, foldLanguage } from './language-code';

type Texts = Readonly<Record<string, string>>;

/**
 * Selects the text of a template (docs/reference/variables-and-workflows.md#templates): the text in the language of the call or request, otherwise in its base
 * language, otherwise in the agent's primary language, otherwise the first in the order of language codes.
 * @param language the language of the call or request; '' for none
 * @param primary the agent's primary language; '' for none
 * @returns the language code as written in the template; undefined for a template without texts
 */
export function templateLanguage(texts: Texts, language: string, primary: string): string | undefined {
  const codes = Object.keys(texts).sort();
  const named = (wanted: string): string | undefined =>
    wanted === '' ? undefined : codes.find((code) => foldLanguage(code) === wanted);
  return named(foldLanguage(language)) ?? named(baseLanguage(language)) ?? named(foldLanguage(primary)) ?? codes[0];
}

/** The names in {{ }} in a text, in the order of their occurrence, without duplicates. */
export function templateNames(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, name]) => name ?? ''))];
}

/** What stands in {{ }} in a text and is no name, so that it is spoken as written, without duplicates. */
export function unreadPlaceholders(text: string): string[] {
  const found = [...text.matchAll(/\{\{[^{}]*\}\}/g)].map(([written]) => written);
  return [...new Set(found)].filter((written) => templateNames(written).length === 0);
}

/** Whether a name can stand in {{ }}. */
export const isTemplateName = (name: string): boolean => templateNames(`{{${name}}}`).includes(name);

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** How the texts of a template do not match its slots and variables, naming the field; undefined if they match. */
export function templateError(template: Pick<MessageTemplate, 'texts' | 'slots' | 'variables'>): string | undefined {
  const declared = new Set<string>();
  for (const list of ['slots', 'variables'] as const) {
    for (const [index, { name }] of template[list].entries()) {
      if (declared.has(name)) return `${list}[${index}].name is given twice: ${name}`;
      declared.add(name);
    }
  }
  const languages = new Map<string, string>();
  for (const [language, text] of Object.entries(template.texts)) {
    const other = languages.get(foldLanguage(language));
    if (other !== undefined) return `texts.${language} repeats the language of ${other}`;
    languages.set(foldLanguage(language), language);
    const unknown = templateNames(text).find((name) => !declared.has(name));
    if (unknown !== undefined) return `texts.${language} names ${unknown}, which is neither a slot nor a variable`;
  }
  return undefined;
}

export interface TemplateMessage {
  /** The language of the call or request; '' for none. */
  readonly language: string;
  /** The agent's primary language; '' for none. */
  readonly primary: string;
  readonly slots: Texts;
  /** The variables as sent in the request. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The values of protected variables, which are the call's own. */
  readonly own: Readonly<Record<string, unknown>>;
}

/**
 * Renders a template to a message (docs/reference/variables-and-workflows.md#templates): selects the text and replaces slots and variables. Values for names
 * that the selected text does not use are validated only for type and length. Inserted values are not searched for {{ }} again.
 * @throws AppError BadRequestError naming the invalid slot or variable
 */
export function renderTemplate(
  template: Pick<MessageTemplate, 'texts' | 'slots' | 'variables'>,
  message: TemplateMessage,
): { readonly language: string; readonly text: string } {
  const language = templateLanguage(template.texts, message.language, message.primary) ?? '';
  const text = template.texts[language] ?? '';
  const values = new Map([...slotValues(template, message.slots), ...variableValues(template, message)]);
  for (const name of templateNames(text)) {
    if (values.has(name)) continue;
    if (template.slots.some((slot) => slot.name === name)) throw badRequest(`slots.${name} is required`);
    if (template.variables.find((variable) => variable.name === name)?.required === true)
      throw badRequest(`variables.${name} is required`);
  }
  return { language, text: text.replace(placeholder, (_, name: string) => values.get(name) ?? '') };
}

function slotValues({ slots }: Pick<MessageTemplate, 'slots'>, sent: Texts): [string, string][] {
  return Object.entries(sent).map(([name, value]) => {
    const slot = slots.find((candidate) => candidate.name === name);
    if (slot === undefined) throw badRequest(`slots.${name} is not a slot of the template`);
    if (codePoints(value) > slot.max_length)
      throw badRequest(`slots.${name} must have at most ${slot.max_length} characters`);
    return [name, value];
  });
}

function variableValues(
  { variables }: Pick<MessageTemplate, 'variables'>,
  { variables: sent, own }: TemplateMessage,
): [string, string][] {
  const found: [string, string][] = [];
  for (const [name, value] of Object.entries(sent)) {
    const variable = variables.find((candidate) => candidate.name === name);
    if (variable === undefined) throw badRequest(`variables.${name} is not a variable of the template`);
    if (variable.protected === true) throw badRequest(`variables.${name} is protected: a request cannot set it`);
    const type = variable.type ?? 'string';
    if (!isOfVariableType(value, type)) throw badRequest(`variables.${name} must be a ${type}`);
    found.push([name, String(value)]);
  }
  for (const { name, protected: isProtected, type = 'string' } of variables) {
    const value = Object.hasOwn(own, name) ? own[name] : undefined;
    if (Object.hasOwn(sent, name) || !(isProtected ?? false) || !isOfVariableType(value, type)) continue;
    found.push([name, String(value)]);
  }
  return found;
}
