/** What an expression of a test file can be known to be without running it: texts, lists and records of them. */
import ts from 'typescript';

export type StaticValue =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'list'; readonly items: readonly StaticValue[] }
  | { readonly is: 'record'; readonly fields: ReadonlyMap<string, StaticValue> }
  | { readonly is: 'unknown' };

/** Names in sight: a constant has its expression, a parameter of `.each` one value a row. */
export type Scope = ReadonlyMap<string, ts.Expression | readonly StaticValue[]>;

/** Alternatives beyond this many are not followed. */
const most = 200;
const unknown: StaticValue = { is: 'unknown' };
const text = (value: string): StaticValue => ({ is: 'text', text: value });

/** All values an expression may have; one that is unknown where nothing can be said. */
export function valuesOf(expression: ts.Expression, scope: Scope): readonly StaticValue[] {
  if (ts.isStringLiteralLike(expression) || ts.isNumericLiteral(expression)) return [text(expression.text)];
  if (/^(null|true|false|undefined)$/.test(expression.getText())) return [text(expression.getText())];
  if (ts.isTemplateExpression(expression)) return templateTexts(expression, scope).map(text);
  if (ts.isArrayLiteralExpression(expression)) return [{ is: 'list', items: itemsOf(expression, scope) }];
  if (ts.isObjectLiteralExpression(expression)) return recordsOf(expression, scope);
  if (ts.isIdentifier(expression)) return valuesOfName(expression.text, scope);
  if (ts.isAsExpression(expression) || ts.isParenthesizedExpression(expression))
    return valuesOf(expression.expression, scope);
  if (ts.isCallExpression(expression)) return valuesOfCall(expression, scope);
  return [unknown];
}

/** Every text an expression may be; an ellipsis stands for what is not known. */
export const textsOf = (expression: ts.Expression, scope: Scope): readonly string[] =>
  valuesOf(expression, scope).map(shown);

export const shown = (value: StaticValue): string => (value.is === 'text' ? value.text : '…');

function valuesOfName(name: string, scope: Scope): readonly StaticValue[] {
  const found = scope.get(name);
  if (found === undefined) return [unknown];
  return 'kind' in found ? valuesOf(found, scope) : found;
}

function templateTexts(template: ts.TemplateExpression, scope: Scope): readonly string[] {
  return template.templateSpans.reduce(
    (texts, span) =>
      texts
        .flatMap((before) => textsOf(span.expression, scope).map((value) => before + value + span.literal.text))
        .slice(0, most),
    [template.head.text],
  );
}

function itemsOf(list: ts.ArrayLiteralExpression, scope: Scope): readonly StaticValue[] {
  return list.elements.flatMap((element) => {
    if (!ts.isSpreadElement(element)) return valuesOf(element, scope);
    return valuesOf(element.expression, scope).flatMap((value) => (value.is === 'list' ? value.items : [unknown]));
  });
}

/** `{ ...base, name: value }`: one record for each that the base may be. A class is known by its name. */
function recordsOf(literal: ts.ObjectLiteralExpression, scope: Scope): readonly StaticValue[] {
  let records: ReadonlyMap<string, StaticValue>[] = [new Map()];
  for (const property of literal.properties) {
    if (ts.isSpreadAssignment(property)) {
      const bases = valuesOf(property.expression, scope).flatMap((value) =>
        value.is === 'record' ? [value.fields] : [],
      );
      if (bases.length > 0) records = records.flatMap((record) => bases.map((base) => new Map([...record, ...base])));
    } else if (property.name !== undefined && 'text' in property.name) {
      const field = fieldValue(property, scope);
      records = records.map((record) => new Map(record).set((property.name as ts.Identifier).text, field));
    }
  }
  return records.slice(0, most).map((fields) => ({ is: 'record', fields }));
}

function fieldValue(property: ts.ObjectLiteralElementLike, scope: Scope): StaticValue {
  if (!ts.isPropertyAssignment(property)) return unknown;
  const [value = unknown] = valuesOf(property.initializer, scope);
  return value.is === 'unknown' && ts.isIdentifier(property.initializer) ? text(property.initializer.text) : value;
}

/** `Object.keys(record)`, and a call of a constant arrow function, whose arguments stay unknown. */
function valuesOfCall(call: ts.CallExpression, scope: Scope): readonly StaticValue[] {
  const { expression: callee } = call;
  const [first] = call.arguments;
  if (callee.getText() === 'Object.keys' && first !== undefined) {
    return valuesOf(first, scope).map((value) =>
      value.is === 'record' ? { is: 'list', items: [...value.fields.keys()].map(text) } : unknown,
    );
  }
  const target = ts.isIdentifier(callee) ? scope.get(callee.text) : undefined;
  if (target === undefined || !('kind' in target) || !ts.isArrowFunction(target) || ts.isBlock(target.body))
    return [unknown];
  return valuesOf(target.body, scope);
}
