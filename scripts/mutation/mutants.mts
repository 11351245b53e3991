/** The mutants of a source file: each is one small change of what the code does, which some test should notice. */
import ts from 'typescript';

export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const swapped: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};
/** Members that only people read. */
const prose = /^(description|summary|help|title|name|message|example|detail|labelNames|type)$/;
/** Calls that leave what a test can rely on unchanged. */
const watching = /(^|\.)(log|logger|metrics?|options\.log)(\?)?\.|\b(unref|clearTimeout|clearInterval)\(/;
const narrowing = new Set(['filter', 'sort', 'toSorted', 'slice', 'trim', 'toLowerCase']);

/** Text that is not code which runs, or of which nothing depends on the exact value. */
const skipped = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) ||
  (ts.isExpressionStatement(node) && watching.test(node.getText().split('(', 1)[0] + '('));

export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const add = (operator: string, node: ts.Node, text: string, start = node.getStart(), end = node.end): void => {
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    found.push({ file, line, operator, start, end, text });
  };
  const visit = (node: ts.Node): void => {
    if (skipped(node)) return;
    mutate(node, add);
    if (/\.sql\.ts$/.test(file)) conditionsOf(node, add);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

type Add = (operator: string, node: ts.Node, text: string, start?: number, end?: number) => void;

function mutate(node: ts.Node, add: Add): void {
  if (ts.isBinaryExpression(node)) binary(node, add);
  else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) negate(node.expression, add);
  else if (ts.isConditionalExpression(node)) negate(node.condition, add);
  else if (ts.isExpressionStatement(node)) statement(node, add);
  else if (ts.isReturnStatement(node) && node.expression !== undefined) {
    if (!ts.isCallExpression(node.expression) && !/^(true|false|undefined)$/.test(node.expression.getText()))
      add('return', node.expression, '(undefined as never)');
  } else if (ts.isNumericLiteral(node)) add('number', node, `(${node.text} + 1)`);
  else if (node.kind === ts.SyntaxKind.TrueKeyword) add('constant', node, 'false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add('constant', node, 'true');
  else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    if (narrowing.has(name.text)) add(name.text, node, expression.getText());
  } else if (ts.isObjectLiteralExpression(node)) {
    for (const member of node.properties) {
      const name = member.name?.getText() ?? '';
      const end = node.getSourceFile().text[member.end] === ',' ? member.end + 1 : member.end;
      if (!prose.test(name) && !ts.isMethodDeclaration(member)) add('field', member, '', member.getStart(), end);
    }
  }
}

const negate = (condition: ts.Expression, add: Add): void => add('condition', condition, `!(${condition.getText()})`);

function binary(node: ts.BinaryExpression, add: Add): void {
  const { left, right, operatorToken } = node;
  if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) return add('default', node, left.getText());
  const other = swapped[operatorToken.getText()];
  if (other === undefined || (operatorToken.getText() === '+' && /['"`]/.test(node.getText()))) return;
  add(operatorToken.getText(), node, `${left.getText()} ${other} ${right.getText()}`);
}

function statement(node: ts.ExpressionStatement, add: Add): void {
  const { expression } = node;
  const assigns = (kind: ts.SyntaxKind): boolean =>
    kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  if (ts.isBinaryExpression(expression) && !assigns(expression.operatorToken.kind)) return;
  if (expression.getText().startsWith('super(')) return;
  add('statement', node, ';');
  if (ts.isAwaitExpression(expression)) add('await', node, `void ${expression.expression.getText()};`);
}

/** Conditions of SQL statements, each up to the end of its line or the next one. */
function conditionsOf(node: ts.Node, add: Add): void {
  if (!ts.isNoSubstitutionTemplateLiteral(node) && !ts.isTemplateExpression(node)) return;
  for (const match of node.getText().matchAll(/\band (?!not materialized)[^()\n`]+?(?=\n|`| and | or |\))/g)) {
    const start = node.getStart() + match.index;
    // "between a and b" is no condition of its own.
    if (/between\s+\S+\s*$/.test(node.getText().slice(0, match.index))) continue;
    add('sql', node, '', start, start + match[0].length);
  }
}

export const mutated = (source: string, { start, end, text }: Mutant): string =>
  source.slice(0, start) + text + source.slice(end);

/** `count` of the mutants, the same ones for the same seed, in the order of the files. */
export function chosen(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const drawn = mutants.map((mutant) => ({ mutant, at: 0 }));
  let state = seed >>> 0;
  for (const one of drawn) {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    one.at = (mixed ^ (mixed >>> 14)) >>> 0;
  }
  const taken = new Set(
    [...drawn].sort((a, b) => a.at - b.at).slice(0, count).map(({ mutant }) => mutant), // prettier-ignore
  );
  return mutants.filter((mutant) => taken.has(mutant));
}

/** Killed mutants in percent of those that could be built. */
export const rateOf = (killed: number, survived: number): number =>
  killed + survived === 0 ? 100 : (100 * killed) / (killed + survived);
