import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { withFigures } from './interface/figures.mts';
import { additionsOf, breaksOf, surfaceOf, type Document } from './interface/surface.mts';
import { root } from './platform/options.mts';

const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const document = JSON.parse(read('docs/openapi.json')) as Document;

await test('a change of the interface that breaks clients is named in the changelog', () => {
  const kept = read('docs/interface.txt').trimEnd().split('\n');
  const changelog = read('CHANGELOG.md');
  const unnamed = breaksOf(kept, surfaceOf(document)).filter((line) => !changelog.includes(`\`${line}\``));
  assert.deepEqual(unnamed, [], 'name each in CHANGELOG.md, in backticks, as it stands here');
});

await test('a change of the interface that adds to it is named in the changelog', () => {
  const kept = read('docs/interface.txt').trimEnd().split('\n');
  const [, unreleased = ''] = read('CHANGELOG.md').split(/^## /m);
  const isNamed = (name: string): boolean => unreleased.includes(`\`${name}\``);
  const unnamed = additionsOf(kept, surfaceOf(document)).filter(({ names }) => !names.some(isNamed));
  assert.deepEqual(
    unnamed.map(({ line }) => line),
    [],
    'name each in CHANGELOG.md under Unreleased, in backticks, as it stands here',
  );
});

await test('docs/interface.md has the figures of the document', () => {
  const page = read('docs/interface.md');
  // npm run documents aligns the columns of the table.
  const cells = (text: string): string => text.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---');
  assert.equal(cells(withFigures(page, document)), cells(page));
});

type Schema = Record<string, unknown>;

/** A document with one operation, which has one body and one response. */
function small(body: Schema, answer: Schema, parameters: Schema[] = []): Document {
  return {
    paths: {
      '/v1/things': {
        post: {
          operationId: 'createThing',
          parameters,
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          responses: { 201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Made' } } } } },
        },
      },
    },
    components: { schemas: { Thing: { type: 'object', ...body }, Made: { type: 'object', ...answer } } },
  };
}

const text = { type: 'string' };

/** The document, with an operation that is refused during maintenance. */
function refusing({ paths, components }: Document): Document {
  const { post } = paths['/v1/things'] ?? {};
  const schema = { $ref: '#/components/schemas/error.platform_maintenance' };
  const responses = { ...(post?.responses as Schema), 503: { $ref: '#/components/responses/503' } };
  return {
    paths: { '/v1/things': { post: { ...post, responses } } },
    components: { ...components, responses: { 503: { content: { 'application/json': { schema } } } } },
  };
}

const before = small(
  { properties: { a: text, b: { type: 'string', enum: ['x', 'y'] } }, required: ['a'] },
  { properties: { id: text, at: text }, required: ['id'] },
);

const cases: [string, Document, string[]][] = [
  ['nothing', before, []],
  [
    'what is added',
    small(
      { properties: { a: text, b: { type: 'string', enum: ['x', 'y', 'z'] }, c: text }, required: ['a'] },
      { properties: { id: text, at: text, more: text }, required: ['id', 'more'] },
      [{ name: 'q', in: 'query', schema: text }],
    ),
    [],
  ],
  [
    'a need that goes',
    small(
      { properties: { a: text, b: { type: 'string', enum: ['x', 'y'] } } },
      { properties: { id: text, at: text }, required: ['id'] },
    ),
    [],
  ],
  [
    'a need that is new, a value that goes, a field of an answer that goes and one that may be absent now',
    small(
      { properties: { a: text, b: { type: 'string', enum: ['x'] } }, required: ['a', 'b'] },
      { properties: { id: { type: 'integer' } } },
      [{ name: 'q', in: 'query', required: true, schema: text }],
    ),
    [
      'lost: always Made.id',
      'lost: answers Made.at: string',
      'lost: answers Made.id: string',
      'lost: takes Thing.b = "y"',
      'new: needs POST /v1/things?q',
      'new: needs Thing.b',
    ],
  ],
];

for (const [title, now, breaks] of cases)
  await test(`finds what breaks clients: ${title}`, () => {
    assert.deepEqual(breaksOf(surfaceOf(before), surfaceOf(now)), breaks);
  });

await test('finds additions: an operation, and a field and a parameter of an existing one', () => {
  const grown = small(
    { properties: { a: text, b: { type: 'string', enum: ['x', 'y'] }, c: text }, required: ['a'] },
    { properties: { id: text, at: text, more: text }, required: ['id'] },
    [{ name: 'q', in: 'query', schema: text }],
  );
  const { post } = grown.paths['/v1/things'] ?? {};
  const paths = {
    ...grown.paths,
    '/v1/others': { get: { ...post, operationId: 'listOthers', requestBody: undefined } },
  };
  assert.deepEqual(
    additionsOf(surfaceOf(before), surfaceOf({ ...grown, paths })).map(({ line }) => line),
    ['Made.more', 'listOthers', 'POST /v1/things.q', 'Thing.c'],
  );
  assert.deepEqual(additionsOf(surfaceOf(before), surfaceOf(before)), []);
});

await test('finds an operation that is refused during maintenance only before or only now', () => {
  const [open, refused] = [surfaceOf(before), surfaceOf(refusing(before))];
  assert.deepEqual(breaksOf(open, refused), ['new: refuses POST /v1/things in maintenance']);
  assert.deepEqual(breaksOf(refused, open), ['lost: refuses POST /v1/things in maintenance']);
});

await test('finds a class whose additional properties are forbidden only before or only now, unless the class is new', () => {
  const schemas = { ...before.components.schemas };
  const closed = {
    ...before,
    components: { schemas: { ...schemas, Made: { ...schemas.Made, additionalProperties: false } } },
  };
  const [open, shut] = [surfaceOf(before), surfaceOf(closed)];
  assert.deepEqual(breaksOf(open, shut), ['new: closes Made']);
  assert.deepEqual(breaksOf(shut, open), ['lost: closes Made']);
  assert.deepEqual(breaksOf([], shut), []);
});

await test('finds an operation that goes', () => {
  assert.ok(
    breaksOf(surfaceOf(before), surfaceOf({ ...before, paths: {} })).includes(
      'lost: operation POST /v1/things createThing',
    ),
  );
});

await test('reads a field that is shared as the field itself', () => {
  const shared = small({ properties: { a: { $ref: '#/components/schemas/a' } } }, { properties: { id: text } });
  const whole = small({ properties: { a: text } }, { properties: { id: text } });
  const withField = { ...shared, components: { schemas: { ...shared.components['schemas'], a: text } } };
  assert.deepEqual(surfaceOf(withField), surfaceOf(whole));
});
