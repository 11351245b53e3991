/** Which tests hold which rule. */
import type { Rule } from './section.mts';
import type { TestTitle } from './titles.mts';

/**
 * A title in the form in which ids are looked for: without the signs between describe and test and behind ids, and with `5 r12, r13` and
 * `6 r3 and r4` as `5 r12 5 r13` and `6 r3 6 r4`.
 */
export function normalised(title: string): string {
  const plain = title.replace(/[›:]/g, ' ').replace(/\s+/g, ' ');
  return plain.replace(/(?<![\w.])(\d(?:\.\d+)?) (r\d+(?:(?:, | and )r\d+)+)/g, (_, section: string, rules: string) =>
    rules
      .split(/, | and /)
      .map((rule) => `${section} ${rule}`)
      .join(' '),
  );
}

/** Whether a normalised title carries an id as whole words. */
export function carries(title: string, id: string): boolean {
  for (let at = title.indexOf(id); at >= 0; at = title.indexOf(id, at + 1)) {
    const before = title[at - 1] ?? ' ';
    const after = title[at + id.length] ?? ' ';
    if (!/[\w.]/.test(before) && !/\w/.test(after)) return true;
  }
  return false;
}

export interface Held {
  readonly rule: Rule;
  readonly tests: readonly TestTitle[];
}

/** Tests that go over every route of the document. */
const overEveryRoute: TestTitle = {
  file: 'e2e/fuzz.e2e.test.ts',
  title: 'schema fuzz › every route of the document',
  variants: [],
};

/** The tests that hold a rule: titles that carry its id, or an id under which it stands elsewhere. */
export function holders(rule: Rule, titles: readonly TestTitle[], routes: ReadonlySet<string>): Held {
  const ids = [rule.id, ...rule.also];
  const named = titles.filter(({ variants }) =>
    variants.map(normalised).some((title) => ids.some((id) => carries(title, id))),
  );
  const isFuzzed =
    rule.route !== undefined && routes.has(rule.route) && titles.some(({ file }) => file === overEveryRoute.file);
  return { rule, tests: isFuzzed ? [overEveryRoute, ...named] : named };
}
