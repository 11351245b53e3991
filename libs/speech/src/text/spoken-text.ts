import { readings } from './readable';

/** A part of the text for the voice. All of it was written before `to`, an offset in the written text. */
export interface SpokenPiece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

interface Rule {
  readonly pattern: string;
  readonly read: (match: readonly string[], language: string) => string | undefined;
}

const pictures = String.raw`(?:\p{Extended_Pictographic}|[\u{1f1e6}-\u{1f1ff}])`;
const gone = (): string => '';

/** Marks for the eye, in the order in which they are tried. Those of lines come first. */
const marks: readonly Rule[] = [
  { pattern: String.raw`(?<=\n)[ \t]*(?:${'```'}|~~~)[\w+-]*[ \t]*(?=\n)`, read: gone },
  { pattern: String.raw`(?<=\n)[ \t]*(?=[^\n]*[-=*_])[|:\-=*_ \t]{3,}(?=\n)`, read: gone },
  { pattern: String.raw`(?<=\n)[ \t]*(?:#{1,6}|[-*+•]|(?:>[ \t]?)+)[ \t]+`, read: gone },
  { pattern: String.raw`(?<=\n)[ \t]*\|[ \t]*|[ \t]*\|[ \t]*(?=\n)`, read: gone },
  { pattern: String.raw`[ \t]*\|[ \t]*`, read: () => ', ' },
  {
    pattern: String.raw`!?\[([^[\]\n]{0,300})\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s+"[^"\n]*")?\s*\)|\[[^[\]\n]{0,80}\])`,
    read: ([, text = ''], language) => textOf(text, language),
  },
  { pattern: String.raw`\[\^[^\]\n]{1,20}\]|【[^】\n]{0,80}】`, read: gone },
  { pattern: String.raw`<(?:br|p|li|tr|div)\b[^<>]{0,200}>`, read: () => ' ' },
  {
    pattern: String.raw`<\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,200})?\/?>|<(?=https?:)|(?<=https?:\S{0,200})>`,
    read: gone,
  },
  ...readings,
  { pattern: String.raw`(?<=\d)\s?\*\s?(?=\d)`, read: () => ' × ' },
  { pattern: String.raw`\*+|~~|${'`'}+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])`, read: gone },
  { pattern: String.raw`\s?(?:[-=]>|[→⇒➜])\s?`, read: () => ', ' },
  { pattern: String.raw`[0-9#*]\ufe0f?\u20e3`, read: ([all = '']) => all.charAt(0) },
  {
    pattern: String.raw`${pictures}(?:[\ufe0e\ufe0f\u200d\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]|${pictures})*`,
    read: gone,
  },
];

/** All rules in one pattern, each in a group of its own, so that a text is read once. */
const groups = marks.map(({ pattern }) => ({ pattern, count: new RegExp(`${pattern}|`, 'u').exec('')!.length }));
const all = new RegExp(groups.map(({ pattern }) => `(${pattern})`).join('|'), 'giu');

interface Output {
  text: string;
  readonly pieces: SpokenPiece[];
}

/** Reads a text whose constructs are complete. @param from its offset in the written text */
function readAll(text: string, from: number, language: string): SpokenPiece[] {
  const output: Output = { text: '', pieces: [] };
  const push = (spoken: string, begin: number, end: number): void => {
    if (end > begin) output.pieces.push({ text: spoken, from: from + begin, to: from + end });
  };
  let at = 0;
  for (const match of text.matchAll(all)) {
    const [whole] = match;
    push(text.slice(at, match.index), at, match.index);
    at = match.index + whole.length;
    push(spokenFor(match, language) ?? whole, match.index, at);
  }
  push(text.slice(at), at, text.length);
  return output.pieces;
}

function spokenFor(match: RegExpExecArray, language: string): string | undefined {
  let group = 1;
  for (const [n, { count }] of groups.entries()) {
    if (match[group] !== undefined) return marks[n]?.read(match.slice(group, group + count), language);
    group += count;
  }
  return undefined;
}

const textOf = (text: string, language: string): string =>
  readAll(text, 0, language)
    .map((piece) => piece.text)
    .join('');

/** Something that the next piece may continue: an unfinished link, tag, line mark, number or address. */
const open = new RegExp(
  [
    String.raw`!?\[[^[\]\n]{0,300}(?:\](?:\([^()\s]{0,2000}(?:\s+"[^"\n]*"?)?\)?)?\S*)?$`,
    String.raw`[ \t]*\|[ \t]*$`,
    String.raw`<[^<>\s][^<>]{0,200}$`,
    String.raw`【[^】\n]{0,80}$`,
    String.raw`(?<=\n)[ \t]*(?:${'```'}|~~~)[^\n]*$`,
    String.raw`(?<=\n)[|:\-=*_#>+•${'`'}~ \t]+$`,
    String.raw`(?<=[\s(])[+(]?(?:${'US\\$|[$€£¥₹₽₩₺₪₴฿₫]'}\s?)?[\d(][\d\s().,:/'’*$€£¥₹₽₩₺₪₴฿₫\u00a0\u202f-]*(?:[\p{L}.]{0,12})$`,
    String.raw`\S+$`,
  ].join('|'),
  'iu',
);
/** Longer, it is passed on as it is. */
const longestHeld = 400;

const isSpeakable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * The stage between the agent's text and a voice, for one utterance: marks for the eye are not spoken, and numbers, dates and addresses are readable. Text
 * arrives in pieces; each word is passed on as soon as the next one cannot change it. Text without letters and digits never reaches the voice.
 */
export class SpokenText {
  private rest = '';
  private offset = 0;
  /** The character before the rest, which says whether a line begins. */
  private before = '\n';
  private waiting: SpokenPiece[] = [];
  /** Where each spoken piece was written, by its offset in the spoken text. */
  private readonly anchors: { readonly spoken: number; readonly piece: SpokenPiece }[] = [];
  private spoken = 0;
  private ended = false;

  /** @param verbatim the text passes as it is */
  constructor(
    private readonly language: string,
    private readonly verbatim = false,
  ) {}

  /** Adds text and returns what can be spoken now. */
  write(text: string): string {
    this.rest += text;
    if (this.verbatim) return this.take(this.rest.length);
    const held = this.rest.length - (open.exec(this.before + this.rest)?.index ?? Infinity) + this.before.length;
    return this.take(held > 0 && held <= longestHeld ? Math.max(0, this.rest.length - held) : this.rest.length);
  }

  /** Returns the rest. */
  end(): string {
    const text = this.take(this.rest.length, true);
    this.ended = true;
    this.waiting = [];
    return text;
  }

  /** Converts an offset in the spoken text to one in the written text. */
  writtenAt(spoken: number): number {
    if (this.ended && spoken >= this.spoken) return this.offset;
    const anchor = this.anchors.findLast((one) => one.spoken < spoken);
    if (anchor === undefined) return 0;
    const { text, from, to } = anchor.piece;
    const within = spoken - anchor.spoken;
    if (within >= text.length) return to;
    return text.length === to - from ? from + within : from + Math.floor(((to - from) * within) / text.length);
  }

  private take(until: number, isLast = false): string {
    if (until === 0) return '';
    const text = this.rest.slice(0, until);
    this.rest = this.rest.slice(until);
    const from = this.offset;
    this.offset += until;
    const pieces = this.verbatim ? [{ text, from, to: from + until }] : this.read(text, from, isLast);
    this.waiting.push(...pieces);
    if (!isSpeakable(pieces.map((piece) => piece.text).join(''))) return '';
    return this.release();
  }

  /** Reads a part with the characters around it, which are not read again. */
  private read(text: string, from: number, isLast: boolean): SpokenPiece[] {
    const { before } = this;
    this.before = text.slice(-1);
    const around = `${before}${text}${isLast ? '\n' : ''}`;
    const until = from + text.length;
    return readAll(around, from - before.length, this.language).flatMap((piece) => {
      if (piece.to <= from || piece.from >= until) return [];
      const isSame = piece.text.length === piece.to - piece.from;
      const shown = isSame ? piece.text.slice(Math.max(0, from - piece.from), until - piece.from) : piece.text;
      return [{ text: shown, from: Math.max(from, piece.from), to: Math.min(until, piece.to) }];
    });
  }

  private release(): string {
    let text = '';
    const begins = this.spoken === 0 && !this.verbatim;
    for (const piece of this.waiting) {
      // A voice refuses a beginning without words.
      const left =
        begins && !isSpeakable(text) ? (/^[^\p{L}\p{N}¿¡"'“‘«(+$€£-]+/u.exec(piece.text)?.[0].length ?? 0) : 0;
      const shown = piece.text.slice(left);
      const from = piece.text.length === piece.to - piece.from ? piece.from + left : piece.from;
      this.anchors.push({ spoken: this.spoken + text.length, piece: { ...piece, from, text: shown } });
      text += shown;
    }
    this.waiting = [];
    this.spoken += text.length;
    return text;
  }
}
