/**
 * The border for text that models, transcribers, carriers and customers' servers write. REST bodies are refused instead, because their sender can repair them.
 * PostgreSQL and JSON cannot store U+0000 and lone surrogates: both become U+FFFD.
 * @param most in UTF-16 units; the rest is cut off
 */
export function outsideText(text: unknown, most = Infinity): string {
  if (typeof text !== 'string') return '';
  const cut = text.length <= most ? text : text.slice(0, isHigh(text, most - 1) ? most - 1 : most);
  return (cut.isWellFormed() ? cut : cut.toWellFormed()).replaceAll('\0', '\ufffd');
}

const isHigh = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

/** The same for text that arrives in pieces, whose boundaries may divide a surrogate pair. */
export class OutsidePieces {
  private half = '';
  private left: number;

  /** @param most of all pieces together */
  constructor(most = Infinity) {
    this.left = most;
  }

  /** Whether more text was sent than is allowed; the rest is cut off. */
  get isFull(): boolean {
    return this.left <= 0;
  }

  read(piece: unknown): string {
    if (typeof piece !== 'string' || this.isFull) return '';
    const all = this.half + piece;
    const whole = isHigh(all, all.length - 1) ? all.slice(0, -1) : all;
    this.half = all.slice(whole.length);
    const text = outsideText(whole, this.left);
    this.left -= whole.length;
    return text;
  }

  /** The rest, after the last piece. */
  end(): string {
    const { half } = this;
    this.half = '';
    return outsideText(half);
  }
}

/** A language as a transcriber reports it, with hyphens; undefined if it is none. */
export function outsideLanguage(language: unknown): string | undefined {
  if (typeof language !== 'string' || language.length > 35) return undefined;
  const code = language.replaceAll('_', '-');
  return /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/.test(code) ? code : undefined;
}
