import fc from 'fast-check';
import { withField } from './invalid-values';

/** Texts that a body must not contain in any field (docs/reference/requests.md). */
const hostileTexts: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('\u0000', '\ud800', '\udfff', '\udc00\ud800'),
    fc.string({ maxLength: 5 }),
    fc.string({ maxLength: 5 }),
  )
  .map(([hostile, before, after]) => before + hostile + after);

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

/** A valid body with one hostile part: a text, a field name, `__proto__`, or nesting deeper than 64. */
export function hostileBody(valid: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc
    .tuple(valid, hostileTexts, fc.nat(), fc.constantFrom('text', 'name', 'proto', 'depth'))
    .map(([body, text, pick, kind]) => {
      switch (kind) {
        case 'text':
          return atPlace(body, pick, isText, () => text) ?? withField(body, 'name', text);
        case 'name':
          return atPlace(body, pick, isObject, (value) => withField(value as object, text, 1)) ?? body;
        case 'proto':
          return atPlace(body, pick, isObject, (value) => withField(value as object, '__proto__', { a: 1 })) ?? body;
        default:
          return withField(body, 'metadata', { a: nested(64) });
      }
    });
}

/** A valid body in which one text is very long: 100 KiB to 900 KiB, more than any limit of a text but less than that of a body. */
export function oversized(valid: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc
    .tuple(valid, fc.nat(), fc.constantFrom('a', '😀', '\u202e', '"'), fc.integer({ min: 101, max: 220 }))
    .map(([body, pick, unit, thousands]) => atPlace(body, pick, isText, () => unit.repeat(thousands * 1_000)) ?? body);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

type Path = readonly string[];

/** A copy in which one of the matching places is replaced; undefined if none matches. */
function atPlace(
  body: object,
  pick: number,
  fits: (value: unknown) => boolean,
  change: (value: unknown) => unknown,
): object | undefined {
  const places = [...placesOf(body, fits, [])];
  const place = places[pick % Math.max(places.length, 1)];
  return place === undefined ? undefined : (replaced(body, place, change) as object);
}

function* placesOf(value: unknown, fits: (value: unknown) => boolean, path: Path): Generator<Path> {
  if (fits(value)) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* placesOf(inner, fits, [...path, name]);
}

function replaced(value: unknown, [step, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === step ? replaced(item, rest, change) : item));
  const holder = value as Record<string, unknown>;
  return withField(holder, step, replaced(holder[step], rest, change));
}
