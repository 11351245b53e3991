/**
 * Generates the Python types: each schema of docs/openapi.json as a TypedDict, for Python 3.11 and later. Implemented here because other generators for Python
 * need Python or Java. At run time the types need only the standard library.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../platform/options.mts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly description?: string;
}

interface Members {
  readonly properties: Record<string, Schema>;
  readonly required: Set<string>;
}

export const pythonFolder = path.join(root, 'clients/python');

// prettier-ignore
const keywords = new Set(['False', 'None', 'True', 'and', 'as', 'assert', 'async', 'await', 'break', 'class', 'continue', 'def', 'del', 'elif', 'else', 'except', 'finally', 'for', 'from', 'global', 'if', 'import', 'in', 'is', 'lambda', 'nonlocal', 'not', 'or', 'pass', 'raise', 'return', 'try', 'while', 'with', 'yield']);
const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
const literal = (value: unknown): string =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

class PythonTypes {
  readonly #schemas: Readonly<Record<string, Schema>>;
  /** Names of types, by the name of the schema. */
  readonly #names = new Map<string, string>();
  /** The source text of types by name, in the order in which they were first used. */
  readonly #written = new Map<string, string>();

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
    const taken = new Set(Object.keys(schemas).filter((name) => /^[A-Z]\w*$/.test(name)));
    for (const name of Object.keys(schemas)) {
      const isOwn = /^[A-Z]\w*$/.test(name);
      let chosen = isOwn ? name : pascal(name);
      while (!isOwn && taken.has(chosen)) chosen += 'Value';
      taken.add(chosen);
      this.#names.set(name, chosen);
    }
  }

  module(): string {
    for (const name of Object.keys(this.#schemas)) if (/^[A-Z]|\./.test(name)) this.#write(name);
    const names = [...this.#written.keys()].sort();
    return [
      '# Generated from docs/openapi.json',
      '"""What Parley\'s API takes and answers, as TypedDicts: for type checkers, nothing is checked at run time."""',
      '',
      'from typing import Any, Literal, NotRequired, TypedDict, Union',
      '',
      '__all__ = [',
      ...names.map((name) => `    "${name}",`),
      ']',
      ...names.map((name) => `\n\n${this.#written.get(name) ?? ''}`),
      '',
    ].join('\n');
  }

  #schemaOf(ref: string): [name: string, schema: Schema] {
    const name = decodeURIComponent(ref.split('/').at(-1) ?? '').replaceAll('~1', '/');
    const schema = this.#schemas[name];
    if (!ref.startsWith('#/components/schemas/') || schema === undefined) throw new Error(`no schema ${ref}`);
    return [name, schema];
  }

  #write(name: string): string {
    const type = this.#names.get(name) ?? name;
    if (!this.#written.has(type)) this.#declare(type, this.#schemas[name] ?? {});
    return type;
  }

  #declare(type: string, schema: Schema): void {
    // The entry is added first, because schemas may refer to themselves.
    this.#written.set(type, '');
    const members = this.#membersOf(schema);
    this.#written.set(
      type,
      members === undefined ? `${type} = ${this.#expression(schema, type)}` : this.#dict(type, schema, members),
    );
  }

  /** The members of an object with fields; undefined for any other schema. */
  #membersOf(schema: Schema): Members | undefined {
    if (schema.$ref !== undefined) return this.#membersOf(this.#schemaOf(schema.$ref)[1]);
    if (schema.oneOf ?? schema.anyOf) return undefined;
    const parts = (schema.allOf ?? []).map((part) => this.#membersOf(part));
    if (parts.length === 0 && schema.properties === undefined) return undefined;
    const all: Members = { properties: {}, required: new Set() };
    for (const part of [...parts, { properties: schema.properties ?? {}, required: new Set(schema.required) }]) {
      if (part === undefined) return undefined;
      Object.assign(all.properties, part.properties);
      for (const one of part.required) all.required.add(one);
    }
    return all;
  }

  #dict(type: string, { description }: Schema, { properties, required }: Members): string {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const expression = this.#expression(schema, `${type}${pascal(field)}`);
      return [field, required.has(field) ? expression : `NotRequired[${expression}]`, schema.description] as const;
    });
    // Only this syntax supports field names that Python reserves, such as `from`.
    if (fields.some(([field]) => keywords.has(field) || !/^[a-zA-Z_]\w*$/.test(field)))
      return [
        `${type} = TypedDict(`,
        `    "${type}",`,
        '    {',
        ...fields.map(([field, expression]) => `        ${JSON.stringify(field)}: ${expression},`),
        '    },',
        ')',
      ].join('\n');
    const said = description === undefined ? [] : [`    """${description.replaceAll(/["\\]/g, "'")}"""`, ''];
    const lines = fields.map(([field, expression]) => `    ${field}: ${expression}`);
    return [`class ${type}(TypedDict):`, ...said, ...(lines.length > 0 ? lines : ['    pass'])].join('\n');
  }

  #expression(schema: Schema, hint: string): string {
    const { $ref, const: only, enum: values, items, additionalProperties } = schema;
    if ($ref !== undefined) {
      const [name, found] = this.#schemaOf($ref);
      // Shared fields have no type name of their own, so their type is inserted.
      const isInline = /^[a-z]/.test(name) && !name.includes('.') && this.#membersOf(found) === undefined;
      return isInline ? this.#expression(found, this.#names.get(name) ?? hint) : `"${this.#write(name)}"`;
    }
    if (only !== undefined) return `Literal[${literal(only)}]`;
    if (values !== undefined) return `Literal[${values.map(literal).join(', ')}]`;
    const choices = schema.oneOf ?? (schema.properties === undefined ? schema.anyOf : undefined);
    if (choices !== undefined) return this.#union(choices.map((one, n) => this.#expression(one, `${hint}${n + 1}`)));
    if (this.#membersOf(schema) !== undefined) {
      const isNull = Array.isArray(schema.type) && schema.type.includes('null');
      this.#declare(hint, schema);
      return isNull ? this.#union([`"${hint}"`, 'None']) : `"${hint}"`;
    }
    if (schema.allOf?.[0] !== undefined) return this.#expression(schema.allOf[0], hint);
    const types = schema.type === undefined ? [] : [schema.type].flat();
    return this.#union(
      types.map((type) => {
        if (type === 'array')
          return items === undefined ? 'list[Any]' : `list[${this.#expression(items, `${hint}Item`)}]`;
        if (type !== 'object') return scalars[type] ?? 'Any';
        const value =
          typeof additionalProperties === 'object' ? this.#expression(additionalProperties, `${hint}Value`) : 'Any';
        return `dict[str, ${value}]`;
      }),
    );
  }

  #union(parts: readonly string[]): string {
    const different = [...new Set(parts)];
    if (different.length === 0 || different.includes('Any')) return 'Any';
    return different.length === 1 ? (different[0] as string) : `Union[${different.join(', ')}]`;
  }
}

/** Writes the module of the package. @param folder the folder of the package */
export function generatePython(folder: string): void {
  const { components } = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')) as {
    components: { schemas: Record<string, Schema> };
  };
  mkdirSync(path.join(folder, 'parley_types'), { recursive: true });
  writeFileSync(path.join(folder, 'parley_types/__init__.py'), new PythonTypes(components.schemas).module());
}
