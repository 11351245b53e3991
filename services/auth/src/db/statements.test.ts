import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const source = path.join(__dirname, '..');

/**
 * Outside the rule: background jobs, the look-up of a record's owner (a token's included), and what is of all organizations
 * by its nature: the control state and the operators' lists.
 */
const exempt = /^db\/(jobs\/|owner-look-ups\.ts|verification\.ts|control\.ts|operator-lists\.ts)/;

/** The tables that rows of an organization live in, read from the migrations. */
function tenantTables(): string[] {
  const folder = path.join(source, '../migrations');
  const sql = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  const tables = [...sql.join('\n').matchAll(/create table (?:if not exists )?(\w+) \(([\s\S]*?)\n\)/g)];
  return tables.filter(([, , columns]) => /\borganization_id\b/.test(columns ?? '')).map(([, name]) => name ?? '');
}

/** Every SQL text of the service with its file. */
function statements(): { file: string; text: string }[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  return files.flatMap((file) => {
    const found: { file: string; text: string }[] = [];
    const visit = (node: ts.Node): void => {
      const text = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) ? node.getText(tree).slice(1, -1) : '';
      if (/^\s*(select|insert|update|delete|with|merge|truncate|copy)\s/i.test(text)) found.push({ file, text });
      ts.forEachChild(node, visit);
    };
    const tree = ts.createSourceFile(file, readFileSync(path.join(source, file), 'utf8'), ts.ScriptTarget.Latest, true);
    visit(tree);
    return found;
  });
}

const touches = (text: string, table: string) =>
  new RegExp(`\\b(from|join|into|update|using)\\s+${table}\\b`, 'i').test(text);

/** A row is written with its organization, or found by it. */
const namesOrganization = (text: string) =>
  /organization_id = \$\d+/.test(text) || /insert into \w+ (as \w+ )?\([^)]*\borganization_id\b/.test(text);

describe('every statement over a tenant table names organization_id', () => {
  const tables = tenantTables();
  const overTenants = statements().filter(({ text }) => tables.some((table) => touches(text, table)));

  it('finds the tables and the statements', () => {
    expect(tables).toEqual(expect.arrayContaining(['api_keys', 'projects', 'audit_log', 'idempotency']));
    expect(overTenants.length).toBeGreaterThanOrEqual(15);
  });

  it.each(overTenants.map(({ file, text }) => [file, text.replace(/\s+/g, ' ').slice(0, 60), text] as const))(
    '%s: %s',
    (file, _start, text) => {
      expect(exempt.test(file) || namesOrganization(text)).toBe(true);
    },
  );
});
