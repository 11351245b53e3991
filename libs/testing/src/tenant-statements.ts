import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readSchema } from '@parley/runtime';
import ts from 'typescript';

/** An SQL text of a service that uses a table with rows of organizations. */
export interface TenantStatement {
  /** The path relative to the service's src. */
  readonly file: string;
  readonly text: string;
  /** Whether the statement finds or writes rows by their organization. */
  readonly namesOrganization: boolean;
}

export interface TenantStatements {
  /** The tables with an organization_id column, according to schema.sql. */
  readonly tables: readonly string[];
  readonly statements: readonly TenantStatement[];
}

/**
 * Reads all SQL texts of a service and all tables of its schema.sql, to check that statements on tenant tables contain organization_id (docs/adr/0001). Parts
 * from which statements are composed are read too.
 * @param service the service's folder, which contains src/ and schema.sql
 */
export function tenantStatements(service: string): TenantStatements {
  const tables = tenantTables(path.join(service, 'schema.sql'));
  const touching = textsOf(path.join(service, 'src')).filter(
    ({ text }) => statement.test(text) && tables.some((table) => touches(text, table)),
  );
  return { tables, statements: touching.map((found) => ({ ...found, namesOrganization: named.test(found.text) })) };
}

const statement = /\b(select|insert|update|delete|merge|truncate|copy)\b/i;
const named = /organization_id = (\$\d+|any\(\$\d+)|insert into \w+ (as \w+ )?\([^)]*\borganization_id\b/;

const touches = (text: string, table: string): boolean =>
  new RegExp(`\\b(from|join|into|update|using|truncate|copy)\\s+${table}\\b`, 'i').test(text);

function tenantTables(schemaFile: string): string[] {
  const tables = [...readSchema(schemaFile).sql.matchAll(/create table (\w+) \(([\s\S]*?)\n\)/g)];
  return tables.filter(([, , columns]) => /\borganization_id\b/.test(columns ?? '')).map(([, name = '']) => name);
}

function textsOf(source: string): { file: string; text: string }[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((file) => {
      const found: { file: string; text: string }[] = [];
      const tree = ts.createSourceFile(
        file,
        readFileSync(path.join(source, file), 'utf8'),
        ts.ScriptTarget.Latest,
        true,
      );
      const visit = (node: ts.Node): void => {
        if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
          found.push({ file, text: node.getText(tree).slice(1, -1) });
        }
        ts.forEachChild(node, visit);
      };
      visit(tree);
      return found;
    });
}
