/** Runs in a separate thread: customers write the schemas and patterns, and matching one may take longer than any call can wait. */
import { parentPort } from 'node:worker_threads';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';

export interface SchemaQuestion {
  /** JSON text of the schema. */
  readonly schema: string;
  /** JSON text of the value. */
  readonly value: string;
}

/** Whether one of the texts matches a regular expression, without regard to case. */
export interface PatternQuestion {
  readonly pattern: string;
  readonly texts: readonly string[];
}

/** `problems` is empty if the value is valid, or a text matches. */
export interface SchemaAnswer {
  readonly problems: readonly string[];
}

const mostKept = 200;
const kept = new Map<string, ValidateFunction>();

function validatorOf(schema: string): ValidateFunction {
  const known = kept.get(schema);
  if (known !== undefined) return known;
  const parsed = JSON.parse(schema) as Record<string, unknown>;
  const { $schema: dialect } = parsed;
  const options = { strict: false, validateFormats: false, inlineRefs: false, logger: false } as const;
  const validator =
    typeof dialect === 'string' && /draft-0[467]/.test(dialect) ? new Ajv(options) : new Ajv2020(options);
  const { $id: _id, ...rest } = parsed;
  const compiled = validator.compile(rest);
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  kept.set(schema, compiled);
  return compiled;
}

parentPort?.on('message', (question: SchemaQuestion | PatternQuestion) => {
  const problems = 'pattern' in question ? problemsOfTexts(question) : problemsOfValue(question);
  parentPort?.postMessage({ problems } satisfies SchemaAnswer);
});

function problemsOfValue({ schema, value }: SchemaQuestion): string[] {
  try {
    const validate = validatorOf(schema);
    return validate(JSON.parse(value)) === true ? [] : (validate.errors ?? []).map(problemOf);
  } catch {
    return ['the parameters of the tool are not a JSON Schema that can be applied'];
  }
}

function problemsOfTexts({ pattern, texts }: PatternQuestion): string[] {
  const expression = new RegExp(pattern, 'iu');
  return texts.some((text) => expression.test(text)) ? [] : [`no turn matches ${pattern}`];
}

function problemOf({
  instancePath,
  message = 'is not valid',
  params,
}: NonNullable<ValidateFunction['errors']>[number]) {
  const { additionalProperty } = params as { additionalProperty?: unknown };
  const name = typeof additionalProperty === 'string' ? `: ${additionalProperty}` : '';
  return `${instancePath === '' ? 'arguments' : instancePath} ${message}${name}`;
}

// The first compilation loads code and takes many times as long as the following ones. It must not count as the time of a tool's parameters.
for (const $schema of ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#'])
  validatorOf(JSON.stringify({ $schema, type: 'object', properties: { a: { type: 'string' } } }));
parentPort?.postMessage('ready');
