/**
 * The titles of the tests of a file, read from its source: describe titles come first. Titles of `.each` are shown as they are written, and
 * known for every row that is written out. A call of a function of a rule table (libs/contract/test/rule-table.ts) is a test named
 * `<section> <class> <path>`.
 */
import ts from 'typescript';
import { shown, textsOf, valuesOf, type Scope, type StaticValue } from './static-value.mts';

export interface TestTitle {
  readonly file: string;
  /** As a reader finds it in the file. */
  readonly title: string;
  /** Every title that a run may show. */
  readonly variants: readonly string[];
}

interface Place {
  readonly scope: Scope;
  /** Titles of the describes around; several where they are of `.each`. */
  readonly around: readonly string[];
  readonly shownAround: string;
}

export function titlesOf(file: string, source: string): readonly TestTitle[] {
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: TestTitle[] = [];
  const ruleTable = ruleTableNames(root);
  const visit = (node: ts.Node, place: Place): void => {
    const call = ts.isCallExpression(node) ? testCall(node) : undefined;
    if (call === undefined) {
      if (ts.isCallExpression(node) && ruleTable.has(node.expression.getText()))
        found.push(...ruleTitles(file, node, place));
      ts.forEachChild(node, (child) => visit(child, place));
      return;
    }
    const titles = titlesOfCall(call, place.scope);
    const variants = place.around.flatMap((before) => titles.variants.map((title) => joined(before, title)));
    const title = joined(place.shownAround, titles.shown);
    if (call.kind === 'test') found.push({ file, title, variants });
    else visitBody(call, { scope: place.scope, around: variants.slice(0, 200), shownAround: title }, visit);
  };
  visit(root, { scope: constantsOf(root), around: [''], shownAround: '' });
  return found;
}

const joined = (before: string, title: string): string => (before === '' ? title : `${before} › ${title}`);

interface TestCall {
  readonly kind: 'describe' | 'test';
  readonly title: ts.Expression;
  readonly body: ts.Expression | undefined;
  /** The rows of `.each`. */
  readonly rows: ts.Expression | undefined;
}

/** `it(title, …)`, `it.each(rows)(title, …)` and the same of describe; not what is skipped. */
function testCall(node: ts.CallExpression): TestCall | undefined {
  const [title, body] = node.arguments;
  const each = ts.isCallExpression(node.expression) ? node.expression : undefined;
  const name = (each ?? node).expression.getText().replace(/<[\s\S]*$/, '');
  if (
    title === undefined ||
    !/^(describe|it|test)(\.each)?$/.test(name) ||
    name.endsWith('.each') !== (each !== undefined)
  )
    return undefined;
  return { kind: name.startsWith('describe') ? 'describe' : 'test', title, body, rows: each?.arguments[0] };
}

function titlesOfCall({ title, rows }: TestCall, scope: Scope): { shown: string; variants: readonly string[] } {
  const templates = textsOf(title, scope);
  const [first = '…'] = templates;
  if (rows === undefined) return { shown: first, variants: templates };
  const written = rowsOf(rows, scope);
  return {
    shown: first,
    variants:
      written.length === 0 ? templates : templates.flatMap((template) => written.map((row) => printed(template, row))),
  };
}

/** The rows of a table that is written out, each as the values of one test. */
function rowsOf(rows: ts.Expression, scope: Scope): readonly (readonly StaticValue[])[] {
  return valuesOf(rows, scope).flatMap((value) =>
    value.is === 'list' ? value.items.map((row) => (row.is === 'list' ? row.items : [row])) : [],
  );
}

/** What jest's formatting makes of a row, as far as it is known. */
function printed(template: string, row: readonly StaticValue[]): string {
  let next = 0;
  return template.replace(/%[sdijpof]/g, () => {
    const value = row[next++];
    return value === undefined ? '…' : shown(value);
  });
}

/** The inside of a describe, where the parameters of `.each` are known by the rows. */
function visitBody({ body, rows }: TestCall, place: Place, visit: (node: ts.Node, place: Place) => void): void {
  if (body === undefined || !(ts.isArrowFunction(body) || ts.isFunctionExpression(body))) return;
  const scope = new Map([...place.scope, ...constantsOf(body.body)]);
  const table = rows === undefined ? [] : rowsOf(rows, place.scope);
  body.parameters.forEach(({ name }, index) => {
    const values = table.flatMap((row) => row.slice(index, index + 1));
    if (ts.isIdentifier(name) && values.length > 0) scope.set(name.text, values);
  });
  ts.forEachChild(body.body, (child) => visit(child, { ...place, scope }));
}

/** `const name = expression` of one block. */
function constantsOf(block: ts.Node): Map<string, ts.Expression | readonly StaticValue[]> {
  const constants = new Map<string, ts.Expression | readonly StaticValue[]>();
  ts.forEachChild(block, (statement) => {
    if (!ts.isVariableStatement(statement)) return;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(name) && initializer !== undefined) constants.set(name.text, initializer);
  });
  return constants;
}

/** Functions of the rule table that make tests of rules. */
function ruleTableNames(root: ts.SourceFile): ReadonlySet<string> {
  const names = root.statements
    .filter(ts.isImportDeclaration)
    .filter(({ moduleSpecifier }) => moduleSpecifier.getText().includes('test/rule-table'))
    .flatMap(({ importClause }) => {
      const bindings = importClause?.namedBindings;
      return bindings !== undefined && ts.isNamedImports(bindings)
        ? bindings.elements.map(({ name }) => name.text)
        : [];
    });
  return new Set(names.filter((name) => !['refusal', 'withValue', 'ignoredFields', 'Subject'].includes(name)));
}

function ruleTitles(file: string, call: ts.CallExpression, { scope }: Place): readonly TestTitle[] {
  const [subject, path] = call.arguments;
  if (subject === undefined) return [];
  const subjects = valuesOf(subject, scope).map((value) =>
    value.is === 'record'
      ? `${shown(value.fields.get('section') ?? value)} ${shown(value.fields.get('cls') ?? value)}`
      : '…',
  );
  const paths =
    path === undefined
      ? ['']
      : valuesOf(path, scope).flatMap((value) => (value.is === 'list' ? value.items.map(shown) : [shown(value)]));
  return [...new Set(subjects)].flatMap((name) =>
    paths.map((at) => {
      const what = call.expression.getText() === 'closedObject' ? 'has no extra properties' : '';
      const title = [name, at, what].filter((part) => part !== '').join(' ');
      return { file, title: `${title} (${call.expression.getText()})`, variants: [title] };
    }),
  );
}
