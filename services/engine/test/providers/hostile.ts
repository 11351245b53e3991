import type { Random } from '../random';
import type { Mangle } from './servers/provider-server';

/** What servers write in place of what their protocol says. */
const values = (random: Random): unknown =>
  random.chance(0.01)
    ? 'x'.repeat(1024 * 1024)
    : random.of<unknown>([
        ...['\0', 'a\ud83db', '\ud83d', '\udc4d', '\u202eabc\u2066', '<thi', 'nk>', '</th', 'ink>', '<think>', ''],
        ...['__proto__', 'user', 'tool', 'system', '5', null, true, -1, 1.5, 1e300, {}, [], [null], ['\0', {}]],
        ...[{ type: 'text', text: '\0' }, { index: 'x' }, [[]]],
      ]);

type Place = readonly [Record<string, unknown>, string];

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key): Place[] => [[parent, key], ...placesIn(parent[key])]);
}

/** The same message with a few fields that have another value or none. */
function changed(json: string, random: Random): string {
  let message: unknown;
  try {
    message = JSON.parse(json);
  } catch {
    return json;
  }
  const places = placesIn(message);
  for (let n = random.between(1, 3); n > 0 && places.length > 0; n -= 1) {
    const [parent, key] = random.of(places);
    if (random.chance(0.2)) Reflect.deleteProperty(parent, key);
    else parent[key] = values(random);
  }
  return JSON.stringify(random.chance(0.03) ? values(random) : message);
}

/** Replaces what a server of a protocol writes, piece by piece: fields, whole messages, and where a piece ends. */
export const hostile =
  (random: Random): Mangle =>
  (piece) => {
    if (Buffer.isBuffer(piece)) return random.chance(0.5) ? piece : piece.subarray(random.between(0, piece.length));
    if (random.chance(0.4)) return piece;
    if (random.chance(0.1))
      return random.of([piece + piece, piece.slice(0, piece.length / 2), '', '{', '\0', 'data: x\n\n']);
    if (piece.startsWith('{')) return changed(piece, random);
    return piece.replace(/^data: (\{.*\})$/gm, (_, json: string) => `data: ${changed(json, random)}`);
  };
