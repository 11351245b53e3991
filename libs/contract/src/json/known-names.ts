import type { Class, NestedFacts } from '../rules/class-facts';
import { planOf, type Plan } from '../rules/plan';

/** What the names inside a value may be: `any`, none at all, or those of some classes. */
export type Names = KnownNames | 'any' | 'none';

/** The names that an object of a class may have, without looking at values. Where the class depends on a value, the names of all possible classes are known. */
export class KnownNames {
  private readonly inside = new Map<string, Names>();

  private constructor(private readonly plans: readonly Plan[]) {}

  private static readonly ofClass = new WeakMap<Class, KnownNames>();

  static of(cls: Class): KnownNames {
    let known = this.ofClass.get(cls);
    if (known === undefined) this.ofClass.set(cls, (known = new KnownNames([planOf(cls)])));
    return known;
  }

  /** Whether the name is none of a class, but one of those that an open class takes. */
  isFree(name: string): boolean {
    return this.plans.every(({ byName }) => !byName.has(name)) && this.plans.some(({ facts }) => facts.open);
  }

  /** The names inside the value of a name, or of each item of its list; undefined if the name itself is unknown. */
  at(name: string): Names | undefined {
    const found = this.inside.get(name);
    if (found !== undefined) return found;
    const fields = this.plans.flatMap(({ byName }) => byName.get(name) ?? []);
    if (fields.length === 0) {
      const isTaken = this.plans.some(
        ({ facts }) => facts.open || facts.ignored.has(name) || facts.elsewhere.has(name),
      );
      return isTaken ? 'any' : undefined;
    }
    const nested = fields.flatMap(({ facts }) => (facts.readOnly || facts.readForm ? [] : (facts.nested ?? [])));
    const names = nested.length < fields.length ? 'any' : new KnownNames(nested.flatMap(plansOf));
    this.inside.set(name, names);
    return names;
  }
}

const plansOf = ({ shape }: NestedFacts): readonly Plan[] =>
  (typeof shape === 'function' ? [shape] : Object.values(shape.classes)).map((cls) => planOf(cls()));
