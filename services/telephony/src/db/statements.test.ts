import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const source = path.join(__dirname, '..');

/** Background work over every organization, and the look-ups of a record's owner (architecture, one writer a table). */
const exempt = /^db\/(jobs\/|owners\.ts)/;

/** The tables that rows of an organization live in, read from the migrations. */
function tenantTables(): string[] {
  const folder = path.join(source, '../migrations');
  const sql = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  const tables = [...sql.join('\n').matchAll(/create table (\w+) \(([\s\S]*?)\n\)/g)];
  return tables.filter(([, , columns]) => /\borganization_id\b/.test(columns ?? '')).map(([, name]) => name ?? '');
}

/** Every text of the service that could be SQL, with its file: also the parts that statements are put together from. */
function texts(): { file: string; text: string }[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((file) => {
      const found: { file: string; text: string }[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
          found.push({ file, text: node.getText(tree).slice(1, -1) });
        }
        ts.forEachChild(node, visit);
      };
      const code = readFileSync(path.join(source, file), 'utf8');
      const tree = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
      visit(tree);
      return found;
    });
}

const isStatement = (text: string) => /\b(select|insert|update|delete)\b/i.test(text);

const touches = (text: string, table: string) =>
  new RegExp(`\\b(from|join|into|update|using)\\s+${table}\\b`, 'i').test(text);

/** A row is found by its organization, or written with it. */
const namesOrganization = (text: string) =>
  /organization_id = \$\d+/.test(text) || /insert into \w+ \([^)]*\borganization_id\b/.test(text);

describe('every statement over a tenant table names organization_id', () => {
  const tables = tenantTables();
  const overTenants = texts().filter(({ text }) => isStatement(text) && tables.some((table) => touches(text, table)));

  it('finds the tables and the statements', () => {
    const own = [
      'numbers',
      'calls',
      'jobs',
      'job_reports',
      'lanes',
      'organization_controls',
      'transcripts',
      'call_events',
    ];
    expect(tables).toEqual(expect.arrayContaining([...own, 'idempotency']));
    expect(overTenants.length).toBeGreaterThanOrEqual(25);
  });

  it.each(overTenants.map(({ file, text }) => [file, text.replace(/\s+/g, ' ').slice(0, 60), text] as const))(
    '%s: %s',
    (file, _start, text) => {
      expect(exempt.test(file) || namesOrganization(text)).toBe(true);
    },
  );
});
