/** A part of some bytes, `to` not included; never empty. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

const oneRange = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/** The range that a Range header asks for; undefined where all bytes are the answer: no range, several, one that is malformed or outside. */
export function rangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = oneRange.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const range =
    first === ''
      ? { from: Math.max(0, size - Number(last)), to: size }
      : { from: Number(first), to: last === '' ? size : Math.min(size, Number(last) + 1) };
  return range.from < range.to ? range : undefined;
}
