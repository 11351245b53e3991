import { allRoutes } from '../routes';
import type { JsonObject, JsonValue } from '../json/json-value';
import type { Class, NestedFacts } from './class-facts';
import { planOf, type PlannedField } from './plan';
import { holdsSecrets, removeSecrets } from './secret-fields';

const planted = 'PLANTED-SECRET';
const classesOf = ({ shape }: NestedFacts): [string, string, Class][] =>
  typeof shape === 'function'
    ? [['', '', shape()]]
    : Object.entries(shape.classes).map(([value, of]) => [shape.property, value, of()]);

function sampleOfField({ facts }: PlannedField): JsonValue {
  if (facts.secret === 'mask-values') return { authorization: planted };
  if (facts.secret === 'mask-tool-headers')
    return { tools: [{ type: 'webhook', headers: { authorization: planted } }] };
  if (facts.secret !== undefined) return planted;
  if (facts.nested === undefined) return 'x';
  const samples = classesOf(facts.nested).map(([property, value, cls]) => ({
    ...sampleOf(cls),
    ...(property === '' ? {} : { [property]: value }),
  }));
  return facts.nested.each ? samples : (samples[0] ?? null);
}

const sampleOf = (cls: Class): JsonObject =>
  Object.fromEntries(planOf(cls).fields.map((field) => [field.name, sampleOfField(field)]));

const everyField = (cls: Class, seen = new Set<Class>()): { name: string; secret: boolean }[] => {
  if (seen.has(cls)) return [];
  seen.add(cls);
  return planOf(cls).fields.flatMap(({ name, facts }) => [
    { name: `${cls.name}.${name}`, secret: facts.secret !== undefined },
    ...(facts.nested === undefined ? [] : classesOf(facts.nested).flatMap(([, , inner]) => everyField(inner, seen))),
  ]);
};

const answers = allRoutes.map((route) => [route.id, route.answer.class as Class] as const);

describe('secrets in answers', () => {
  it('are marked if their field name sounds like a secret', () => {
    const names = new Map(answers.flatMap(([, cls]) => everyField(cls)).map(({ name, secret }) => [name, secret]));
    // The id of a token reveals nothing about the token, models count tokens, and the keys that tokens are checked with are public.
    const harmless = /(_token_id|\.(input|output)_tokens|\.token_keys)$/;
    const sounding = [...names].filter(
      ([name]) =>
        /\.(.*(secret|token|password|private|authorization).*|pin|headers)$/i.test(name) && !harmless.test(name),
    );
    expect(sounding.filter(([, secret]) => !secret).map(([name]) => name)).toEqual([]);
    expect(sounding.length).toBeGreaterThan(4);
  });

  it.each(answers)('in the answer of %s are removed, and nothing else', (_id, cls) => {
    const document = sampleOf(cls);
    const before = JSON.stringify(document);
    const removed = removeSecrets(cls, document);
    expect(JSON.stringify(document)).not.toContain(planted);
    expect([removed.length > 0, before.includes(planted)]).toEqual([holdsSecrets(cls), holdsSecrets(cls)]);
    if (removed.length === 0) expect(JSON.stringify(document)).toBe(before);
  });

  it('in a diff of publications are masked in headers of tools', () => {
    const diff = allRoutes.find(({ id }) => id === 'diff-publication');
    const change = (path: string, after: JsonValue) => ({ changes: [{ change: 'added', path, after }] });
    const read = (path: string, after: JsonValue): unknown => {
      const document = change(path, after);
      removeSecrets(diff?.answer.class as Class, document);
      return document.changes[0]?.after;
    };
    expect(read('/tools/book/headers/authorization', planted)).toBe('***');
    expect(read('/tools/book/headers', { authorization: planted })).toEqual({ authorization: '***' });
    expect(read('/tools/book', { type: 'webhook', headers: { a: planted } })).toEqual({
      type: 'webhook',
      headers: { a: '***' },
    });
    expect(read('/tools/book/url', 'https://a.example')).toBe('https://a.example');
  });
});
