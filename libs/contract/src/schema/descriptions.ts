import type { Class, ClassFacts, FieldFacts } from '../rules/class-facts';
import classes from './words/classes.json';
import everywhere from './words/everywhere.json';
import fields from './words/fields.json';

/** Descriptions of fields by their name, used unless a class has another description for the field. */
export const words: Readonly<Record<string, string>> = everywhere;
/** Descriptions of fields whose meaning is not clear from their name, by class and field. They also apply to subclasses. */
const fieldWords: Readonly<Record<string, Readonly<Record<string, string>>>> = fields;
/** Descriptions of classes that do not declare one themselves. */
const classWords: Readonly<Record<string, string>> = classes;

/** The names of a class and of its base classes, starting with its own. */
function namesOf(cls: Class): string[] {
  const names: string[] = [];
  for (let at: unknown = cls; typeof at === 'function' && at.name !== ''; at = Object.getPrototypeOf(at))
    names.push(at.name);
  return names;
}

/**
 * The description of a field: from its class, otherwise from its base classes, otherwise the general one for its name. Empty if there is none, which a test
 * refuses.
 */
export function descriptionOf(cls: Class, name: string, facts: FieldFacts): string {
  const own = namesOf(cls).flatMap((of) => fieldWords[of]?.[name] ?? []);
  const meaning = facts.description ?? own[0] ?? words[name] ?? '';
  return facts.default === undefined ? meaning : `${meaning} Default: ${shown(facts.default)}.`;
}

const shown = (value: unknown): string => (typeof value === 'string' ? `\`${value}\`` : JSON.stringify(value));

/** The description of a class. */
export function descriptionOfClass(cls: Class, facts: ClassFacts): string {
  return classWords[cls.name] ?? facts.description ?? (cls.name.endsWith('Page') ? 'A page.' : '');
}
