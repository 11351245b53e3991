/** A shorter piece is joined with the next one, because single words are poor requests. */
const shortestSentence = 12;
/** A longer sentence is cut at a clause: far below every provider's limit, and short enough to be heard soon. */
const longestSentence = 400;

/** Abbreviations after which a sentence goes on, by base language; those of English are common in other languages too. */
const abbreviations: Readonly<Record<string, string>> = {
  en: 'Mr Mrs Ms Mx Dr Prof St Sr Jr Rev Hon Gen Col Capt Lt Sgt Mt Ft No Nos vs etc approx dept est fig Inc Ltd Co Corp Ave Blvd Rd Apt e.g i.e a.m p.m U.S U.K',
  de: 'Hr Fr Nr Str bzw ca evtl ggf inkl zzgl usw z.B d.h u.a o.ä Tel Abs Art Bd Jh Mio Mrd Std Min Ing Dipl',
  fr: 'M Mme Mmes Mlle MM Me av bd env tél p.ex c.-à-d',
  es: 'Sr Sra Srta Sres Dra Ud Uds Avda av núm pág tel aprox p.ej EE.UU',
  it: 'Sig Sigg Dott Dott.ssa Avv Ing Geom Prof.ssa ecc pag tel p.es',
  pt: 'Sr Sra Dra Exmo Exma Av pág tel p.ex',
  nl: 'dhr mevr mw drs ir mr bijv ca enz nr tel t.a.v d.w.z',
  pl: 'p prof inż mgr ul al nr tel np tzn itd itp godz',
  ru: 'г гг ул д кв тел руб коп т.е т.д т.п и.о',
  sv: 'ca bl.a t.ex nr tel kl dvs osv',
  da: 'ca bl.a f.eks nr tlf kl dvs osv',
  nb: 'ca bl.a f.eks nr tlf kl dvs osv',
  cs: 'p pí ing mgr č ul tel např tj atd',
  tr: 'Sn No Cad Sok Tel vb vs',
};

/** Languages that write ordinal numbers with a full stop. */
const dotted = new Set(['de', 'da', 'nb', 'no', 'fi', 'cs', 'sk', 'pl', 'hu', 'hr', 'sl', 'et', 'lv', 'is', 'tr']);

const escaped = (text: string): string => text.replaceAll('.', '\\.');

interface Rules {
  readonly segmenter: Intl.Segmenter;
  /** A sentence does not end with this. */
  readonly goesOn: RegExp;
}

const made = new Map<string, Rules>();

function rulesOf(language: string): Rules {
  const base = /^[a-z]{2,8}/.exec(language.toLowerCase())?.[0] ?? 'en';
  const known = made.get(base);
  if (known !== undefined) return known;
  const words = `${abbreviations['en']} ${base === 'en' ? '' : (abbreviations[base] ?? '')}`.trim().split(/\s+/);
  const ends = [...words.map(escaped), String.raw`\p{L}`, ...(dotted.has(base) ? [String.raw`\d{1,2}`] : [])];
  const rules = {
    segmenter: new Intl.Segmenter(base, { granularity: 'sentence' }),
    goesOn: new RegExp(String.raw`(?:^|[\s("'«„“])(?:${ends.join('|')})\.\s*$`, 'u'),
  };
  made.set(base, rules);
  return rules;
}

const mark = /[\p{Sentence_Terminal}\n…;]/u;
/** The last sentence is complete without a following one: of scripts without spaces at once, of others with white space. */
const complete = /[。！？｡]["'”’」』）)]*$|[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}"']*\s+$|\n\s*$/u;
const clause = /[,;:،؛、，；：—–]["'”’)]*\s+|[、，；：]/gu;

/** Splits text that arrives in pieces into sentences, without losing characters. */
export class SentenceCutter {
  private rest = '';
  private readonly rules: Rules;

  constructor(language: string) {
    this.rules = rulesOf(language);
  }

  /** Adds text and returns the sentences that are complete now. */
  write(text: string): string[] {
    this.rest += text;
    const sentences: string[] = [];
    if (mark.test(this.rest)) {
      let sentence = '';
      for (const { segment } of this.rules.segmenter.segment(this.rest)) {
        if (this.isWhole(sentence)) {
          sentences.push(sentence);
          sentence = '';
        }
        sentence += segment;
      }
      if (this.isWhole(sentence) && complete.test(sentence)) {
        sentences.push(sentence);
        sentence = '';
      }
      this.rest = sentence;
    }
    while (this.rest.length > longestSentence) sentences.push(this.cut());
    return sentences.flatMap((sentence) => this.short(sentence));
  }

  /** The remaining text; undefined if there is nothing to speak. */
  end(): string | undefined {
    const { rest } = this;
    this.rest = '';
    return rest.trim() === '' ? undefined : rest;
  }

  private isWhole(sentence: string): boolean {
    return sentence.length >= shortestSentence && !this.rules.goesOn.test(sentence);
  }

  private short(sentence: string): string[] {
    if (sentence.length <= longestSentence) return [sentence];
    const { rest } = this;
    this.rest = sentence;
    const parts: string[] = [];
    while (this.rest.length > longestSentence) parts.push(this.cut());
    parts.push(this.rest);
    this.rest = rest;
    return parts;
  }

  /** Takes a part of an overlong sentence: to the last clause, otherwise to the last word, and never half a character. */
  private cut(): string {
    const head = this.rest.slice(0, longestSentence);
    const last = [...head.matchAll(clause)].at(-1);
    const word = head.search(/\S*$/u);
    const whole = /[\ud800-\udbff]$/.test(head) ? head.length - 1 : head.length;
    const until = last === undefined ? word || whole : last.index + last[0].length;
    const part = this.rest.slice(0, until);
    this.rest = this.rest.slice(until);
    return part;
  }
}
