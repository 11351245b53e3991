import type { Class, ClassFacts, FieldFacts } from '../rules/class-facts';
import { classWords, fieldWords, words } from './words';

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
