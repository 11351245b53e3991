/**
 * Generates files of the TypeScript SDK from docs/openapi.json: types and operations, the union of error bodies, the list of operations that accept an
 * Idempotency-Key, the list of deprecated fields, and the list of event types. The messages of test calls are generated from docs/asyncapi.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { root } from '../platform/options.mts';

const document = path.join(root, 'docs/openapi.json');
const asyncDocument = path.join(root, 'docs/asyncapi.json');

export const generatedFolder = path.join(root, 'clients/typescript/src/generated');

/** The SDK's copy of the audio worklets of the gateway's page for test calls. */
export const workletsFile = path.join(root, 'clients/typescript/src/worklets.js');

export const workletsText = (): string =>
  `// Generated from services/gateway/assets/test/worklets.js\n${readFileSync(path.join(root, 'services/gateway/assets/test/worklets.js'), 'utf8')}`;

interface Operation {
  readonly parameters?: readonly { readonly $ref?: string }[];
}

const readDocument = (): unknown => JSON.parse(readFileSync(document, 'utf8'));

/** Names of properties anywhere in the document that are marked as deprecated, sorted. */
function deprecatedFields(node: unknown = readDocument()): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const properties = 'properties' in node ? Object.entries(node.properties as Record<string, unknown>) : [];
  const own = properties.flatMap(([name, schema]) =>
    typeof schema === 'object' && schema !== null && 'deprecated' in schema && schema.deprecated === true ? [name] : [],
  );
  return [...new Set([...own, ...Object.values(node).flatMap((one) => deprecatedFields(one))])].sort();
}

/** The operations that accept an Idempotency-Key, such as `POST /v1/calls`, sorted. */
function operationsWithKey(): string[] {
  const { paths } = readDocument() as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths)
    .flatMap(([template, methods]) =>
      Object.entries(methods)
        .filter(([, { parameters }]) => parameters?.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')))
        .map(([method]) => `${method.toUpperCase()} ${template}`),
    )
    .sort();
}

/** The generated types of the errors that the document defines as `error.<code>`, such as `ErrorRateLimited` for `error.rate_limited`. */
function errorTypes(): string[] {
  const { components } = readDocument() as { components: { schemas: Record<string, unknown> } };
  return Object.keys(components.schemas)
    .filter((name) => name.startsWith('error.'))
    .map((name) => name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase()));
}

/** In the order of the document. */
function eventTypes(): readonly string[] {
  const { components } = readDocument() as { components: { schemas: { EventType: { enum: readonly string[] } } } };
  return components.schemas.EventType.enum;
}

/** The schemas of the messages of test calls, as an OpenAPI document without operations. */
function testCallSchemas(): Record<string, unknown> {
  const { components } = JSON.parse(readFileSync(asyncDocument, 'utf8')) as {
    components: { schemas: Record<string, unknown> };
  };
  const schemas = Object.entries(components.schemas).filter(([name]) => name.startsWith('TestCall'));
  return {
    openapi: '3.1.0',
    info: { title: 'Messages of test calls', version: '1' },
    paths: {},
    components: { schemas: Object.fromEntries(schemas) },
  };
}

const camelCase = (tag: string): string => tag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export async function generateSdk(folder: string): Promise<void> {
  await createClient({
    input: document,
    output: { path: folder, module: { extension: '.js' } },
    plugins: [
      '@hey-api/typescript',
      {
        name: '@hey-api/sdk',
        responseStyle: 'data',
        operations: {
          strategy: 'single',
          containerName: 'Operations',
          nesting: ({ tags, operationId, id }) => [camelCase(tags?.[0] ?? 'other'), operationId ?? id],
        },
      },
      { name: '@hey-api/client-fetch', throwOnError: true },
    ],
    logs: { level: 'silent' },
  });
  await createClient({
    input: testCallSchemas(),
    output: { path: path.join(folder, 'test-call'), module: { extension: '.js' } },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent' },
  });
  const head = '// Generated from docs/openapi.json\n\n';
  const linesOf = (names: readonly string[]): string => names.map((name) => `  '${name}',\n`).join('');
  const errors = errorTypes();
  writeFileSync(
    path.join(folder, 'errors.gen.ts'),
    `${head}import type * as api from './types.gen.js';\n\n/** The bodies of the platform's errors; \`error\` is the code. */\nexport type ErrorBody =\n${errors.map((name) => `  | api.${name}`).join('\n')};\n`,
  );
  writeFileSync(
    path.join(folder, 'idempotent.gen.ts'),
    `${head}/** The operations that take an Idempotency-Key. */\nexport const operationsWithKey: ReadonlySet<string> = new Set([\n${linesOf(operationsWithKey())}]);\n`,
  );
  writeFileSync(
    path.join(folder, 'deprecated.gen.ts'),
    `${head}/** The names of deprecated fields. */\nexport const deprecatedFields: readonly string[] = [\n${linesOf(deprecatedFields())}];\n`,
  );
  writeFileSync(
    path.join(folder, 'event-types.gen.ts'),
    `${head}import type { Event } from './types.gen.js';\n\n/** The event types that this version of the SDK knows. */\nexport const eventTypes: readonly Event['type'][] = [\n${linesOf(eventTypes())}];\n`,
  );
}
