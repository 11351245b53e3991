/**
 * JSON text that is the same for equal values: names in order of their UTF-16 code units, no space, numbers and strings as
 * JSON.stringify writes them (RFC 8785). Fields that are undefined are left out. Hashes and fingerprints are taken over it.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.map((item: unknown) => (item === undefined ? 'null' : canonicalJson(item))).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const item = (value as Record<string, unknown>)[name];
    if (item !== undefined) fields.push(`${JSON.stringify(name)}:${canonicalJson(item)}`);
  }
  return `{${fields.join(',')}}`;
}
