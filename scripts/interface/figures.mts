import type { Document } from './surface.mts';

type Json = Record<string, unknown>;

const begin = '<!-- figures: written by npm run documents -->';
const end = '<!-- end of figures -->';
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function* within(value: unknown): Generator<Json> {
  if (Array.isArray(value)) for (const one of value) yield* within(one);
  if (!isObject(value)) return;
  yield value;
  for (const one of Object.values(value)) yield* within(one);
}

/** How many entries satisfy a condition, as text. */
function share<T>(things: readonly T[], holds: (one: T) => boolean): string {
  const count = things.filter(holds).length;
  return `${count} of ${things.length} (${((count / things.length) * 100).toFixed(1)} %)`;
}

/** With what it was in the first version of the platform, before the document was generated for clients. */
function figuresOf(document: Document): [string, string, string, string][] {
  const { schemas = {}, parameters = {}, responses = {} } = document.components;
  const operations = Object.values(document.paths).flatMap(({ parameters: _common, ...methods }) =>
    Object.values(methods),
  );
  const isDescribed = (one: Json): boolean => typeof one.description === 'string' && one.description !== '';
  // Parts of `allOf` have no type of their own.
  const properties = [...within(schemas)].flatMap(({ type = 'object', properties: own }) =>
    type === 'object' && isObject(own) && Object.values(own).every(isObject)
      ? (Object.entries(own) as [string, Json][])
      : [],
  );
  const componentOf = (one: Json): Json =>
    typeof one.$ref === 'string' ? (responses[one.$ref.split('/').at(-1) ?? ''] ?? {}) : one;
  const jsonOf = (one: unknown): Json[] => {
    const json = isObject(one) && isObject(one.content) ? one.content['application/json'] : undefined;
    return isObject(json) ? [json] : [];
  };
  const requests = operations.flatMap(({ requestBody }) => jsonOf(requestBody));
  const successes = operations.flatMap((one) =>
    Object.entries((one.responses ?? {}) as Record<string, Json>)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, answer]) => jsonOf(componentOf(answer))),
  );
  const isShown = ({ schema }: Json): boolean =>
    isObject(schema) && 'examples' in (schemas[String(schema.$ref).split('/').at(-1) ?? ''] ?? {});
  const coverage = '[coverage](../libs/contract/src/openapi/coverage.test.ts)';
  const generators = '[generators](../scripts/generators.test.mts)';
  return [
    ['Operations', '115', String(operations.length), coverage],
    [
      'Properties described',
      '68 of 1252 (5.4 %)',
      share(properties, ([name, one]) =>
        isDescribed(one.$ref === `#/components/schemas/${name}` ? (schemas[name] ?? {}) : one),
      ),
      coverage,
    ],
    ['Schemas described', '29 of 230 (12.6 %)', share(Object.values(schemas), isDescribed), coverage],
    ['Parameters described', '34 of 264 (12.9 %)', share(Object.values(parameters), isDescribed), coverage],
    ['Requests with an example', '0 of 47', share(requests, isShown), coverage],
    ['Successes with an example', '0 of 110', share(successes, isShown), coverage],
    ['Bytes as served, below 500,000', '701000', String(Buffer.byteLength(JSON.stringify(document))), coverage],
    [
      '@hey-api/openapi-ts',
      'catalogue, audio and data of events `unknown`',
      'a program of 22 operations, unions and errors compiles strictly',
      generators,
    ],
    [
      'openapi-typescript',
      'free-form objects take nothing: `Record<string, never>`',
      'a program of 22 operations, unions, errors and free-form objects with openapi-fetch compiles strictly',
      generators,
    ],
    [
      'Redocly and Spectral, recommended rules',
      '5 warnings of Redocly',
      'no error and no warning',
      '[lint](../scripts/lint-documents.mts)',
    ],
  ];
}

/** Returns docs/interface.md with its figures. @throws if the page does not contain the markers of the figures */
export function withFigures(page: string, document: Document): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/interface.md lacks ${begin} or ${end}`);
  const rows = figuresOf(document).map((row) => `| ${row.join(' | ')} |`);
  const table = ['| What | First version | Now | Tested by |', '| --- | --- | --- | --- |', ...rows].join('\n');
  return `${before}${begin}\n\n${table}\n\n${end}${after}`;
}
