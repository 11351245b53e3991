import { badRequest } from '@parley/errors';
import type { MessageTemplate } from '../objects/message-template';
import { isOfVariableType } from '../objects/variables';
import { codePoints } from './constraints';

type Texts = Readonly<Record<string, string>>;

const fold = (language: string): string => language.toLowerCase().replaceAll('_', '-');
const baseOf = (language: string): string => fold(language).split('-')[0] ?? '';

/**
 * The text of a template (docs/reference/variables-and-workflows.md#templates): that of the call's or request's language, else of its base language, else of the agent's
 * primary language, else the first in the order of the language codes.
 * @param language of the call or the request; '' for none
 * @param primary of the agent; '' for none
 * @returns the code as the template has it; undefined for a template without texts
 */
export function templateLanguage(texts: Texts, language: string, primary: string): string | undefined {
  const codes = Object.keys(texts).sort();
  const named = (wanted: string): string | undefined =>
    wanted === '' ? undefined : codes.find((code) => fold(code) === wanted);
  return named(fold(language)) ?? named(baseOf(language)) ?? named(fold(primary)) ?? codes[0];
}

/** The names in {{ }} in a text, in order of appearance, without duplicates. */
export function templateNames(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, name]) => name ?? ''))];
}

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** The mismatch between the texts of a template and its slots and variables, naming the field; undefined: none. */
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
    const other = languages.get(fold(language));
    if (other !== undefined) return `texts.${language} repeats the language of ${other}`;
    languages.set(fold(language), language);
    const unknown = templateNames(text).find((name) => !declared.has(name));
    if (unknown !== undefined) return `texts.${language} names ${unknown}, which is neither a slot nor a variable`;
  }
  return undefined;
}

export interface TemplateMessage {
  /** The language of the call or of the request; '' for none. */
  readonly language: string;
  /** The agent's primary language; '' for none. */
  readonly primary: string;
  readonly slots: Texts;
  /** As the request sends them. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The values of protected variables: the call's own. */
  readonly own: Readonly<Record<string, unknown>>;
}

/**
 * The message that a template makes (docs/reference/variables-and-workflows.md#templates): text chosen, slots and variables put in. A name that the chosen text does not
 * reference is judged for its type and length alone; what is put in is never read for {{ }} again.
 * @throws AppError BadRequestError naming the slot or variable that is invalid
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
