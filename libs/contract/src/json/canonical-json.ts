/**
 * JSON text that is the same for equal values: names in order of their UTF-16 code units, no space, numbers and strings as
 * JSON.stringify writes them (RFC 8785). Fields that are undefined are left out. Hashes and fingerprints are taken over it.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return listOf(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  for (const name of sorted(Object.keys(value))) {
    const item = (value as Record<string, unknown>)[name];
    if (item !== undefined) text += `${text === '' ? '{' : ','}${quotedName(name)}:${canonicalJson(item)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

function listOf(items: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) text += ',';
    text += canonicalJson(items[index]);
  }
  return `${text}]`;
}

const fewNames = 16;

/** Sorts in place. Publications contain a hundred or so small objects, for which Array.sort has a high fixed cost. */
function sorted(names: string[]): string[] {
  if (names.length > fewNames) return names.sort();
  for (let index = 1; index < names.length; index += 1) {
    const name = names[index] ?? '';
    let at = index;
    for (let before = names[at - 1]; before !== undefined && before > name; before = names[at - 1]) {
      names[at] = before;
      at -= 1;
    }
    names[at] = name;
  }
  return names;
}

/** Field names repeat, so they are cached; the cache is bounded because clients can choose names. */
const quotedNames = new Map<string, string>();
const namesKept = 1_000;
const longestNameKept = 40;

function quotedName(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const quoted = JSON.stringify(name);
  if (quotedNames.size < namesKept && name.length <= longestNameKept) quotedNames.set(name, quoted);
  return quoted;
}
