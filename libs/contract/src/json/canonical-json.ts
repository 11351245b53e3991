/**
 * JSON text that is identical for equal values: names are sorted by their UTF-16 code units, there is no white space, and numbers and strings are written like
 * JSON.stringify does (RFC 8785). Fields that are undefined are omitted. Hashes and fingerprints are computed from this text.
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

/** Sorts in place. A publication contains about a hundred small objects, and Array.sort has a high fixed cost for each. */
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

/** Cache of quoted names, because field names repeat. It is limited because clients can choose names. */
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
