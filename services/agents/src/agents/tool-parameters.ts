import { badRequest } from '@parley/errors';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';

/**
 * The two JSON Schema dialects that models accept. A tool's schema is validated against them but never compiled, because customers write its patterns and
 * references.
 */
const dialects: readonly (() => ValidateFunction | undefined)[] = [
  () => new Ajv2020({ validateFormats: false }).getSchema('https://json-schema.org/draft/2020-12/schema'),
  () => new Ajv({ validateFormats: false }).getSchema('http://json-schema.org/draft-07/schema'),
];
let validators: readonly ValidateFunction[] | undefined;

function isSchema(value: unknown): boolean {
  validators ??= dialects.map((dialect) => {
    const validator = dialect();
    if (validator === undefined) throw new Error('a dialect of JSON Schema is missing');
    return validator;
  });
  return validators.some((validate) => validate(value) === true);
}

const references = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

/** Whether the value contains a reference to another document. */
function refersElsewhere(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, inner]: [string, unknown]) =>
      (references.has(name) && typeof inner === 'string' && !inner.startsWith('#')) || refersElsewhere(inner),
  );
}

/** The parameters of a webhook tool: a JSON Schema of an object (docs/reference/agents.md). @throws AppError BadRequestError */
export function checkParameters(parameters: Readonly<Record<string, unknown>>, field: string): void {
  if (parameters['type'] !== 'object') throw badRequest(`${field} must be a JSON Schema of type object`);
  if (!isSchema(parameters)) throw badRequest(`${field} is not a JSON Schema`);
  if (refersElsewhere(parameters))
    throw badRequest(`${field} refers to another document; only references within it are allowed`);
}
