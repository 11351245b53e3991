type Found = readonly string[];

/** What is written for the eye, and how a voice reads it. Undefined: as written. */
export interface Reading {
  readonly pattern: string;
  readonly read: (match: Found, language: string) => string | undefined;
}

const currencies: Readonly<Record<string, string>> = {
  $: 'USD',
  US$: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₽': 'RUB',
  '₩': 'KRW',
  '₺': 'TRY',
  '₪': 'ILS',
  '₴': 'UAH',
  '฿': 'THB',
  '₫': 'VND',
};
const sign = String.raw`(?:US\$|[$€£¥₹₽₩₺₪₴฿₫])`;
const amount = String.raw`\d+(?:[.,'’\u00a0\u202f]\d{3})*(?:[.,]\d{1,2})?(?![\d.,]*\d)`;
/** A word of quantity after an amount: the voice reads both better as they are written. */
const quantity = String.raw`(?!\s*(?:[kKmMbB]\b|million|billion|trillion|thousand|mil|mio|mrd|tausend|lakh|crore|тыс|млн|млрд|[万萬億亿千]))`;

/** Formats are made once per language, because each costs more than reading a whole reply. */
const made = new Map<string, unknown>();
function once<Format>(key: string, language: string, make: (locale: string) => Format): Format {
  const name = `${key} ${language}`;
  if (!made.has(name)) {
    if (made.size > 500) made.clear();
    made.set(name, make(localeOf(language)));
  }
  return made.get(name) as Format;
}

function localeOf(language: string): string {
  try {
    return Intl.getCanonicalLocales(language.replaceAll('_', '-'))[0] ?? 'en';
  } catch {
    return 'en';
  }
}

function numberIn(text: string): number {
  const fraction = /[.,](\d{1,2})$/.exec(text);
  const whole = text.slice(0, fraction?.index).replace(/\D/g, '');
  return Number(`${whole}.${fraction?.[1] ?? 0}`);
}

function price(amountText: string, currency: string, language: string): string {
  const value = numberIn(amountText);
  const digits = Number.isInteger(value) ? 0 : 2;
  const format = once(`${currency} ${digits}`, language, (locale) => {
    const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'name', ...shown });
  });
  return format.format(value);
}

function day(year: number, month: number, date: number, language: string): string | undefined {
  const at = new Date(Date.UTC(year, month - 1, date));
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== date) return undefined;
  return once(
    'day',
    language,
    (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }),
  ).format(at);
}

/** Whether dates of a language name the month first. */
const monthFirst = (language: string): boolean =>
  once('order', language, (locale) => {
    const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts(0);
    return parts.findIndex(({ type }) => type === 'month') < parts.findIndex(({ type }) => type === 'day');
  });

function clock(hour: number, minute: number, language: string): string {
  const format = once(
    'clock',
    language,
    (locale) => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }),
  );
  // Voices read a narrow no-break space as nothing.
  return format.format(Date.UTC(2000, 0, 1, hour, minute)).replace(/\u202f/g, ' ');
}

/** Digits one by one, with a short pause between groups. */
const digitByDigit = (text: string): string =>
  text
    .split(/\D+/)
    .filter((group) => group !== '')
    .map((group) => group.split('').join(' '))
    .join(', ');

function address(text: string, language: string): string {
  const words = addressWordsIn(language);
  return text
    .replace(/[.@/_-]/g, (character) => ` ${words[character] ?? character} `)
    .replace(/\s+/g, ' ')
    .trim();
}

const host = String.raw`(?:[a-z0-9](?:[a-z0-9-]{0,62})\.)+[a-z]{2,24}`;

export const readings: readonly Reading[] = [
  {
    pattern: String.raw`(?<![\p{L}\p{N}._%+-])[a-z0-9][a-z0-9._%+-]{0,63}@${host}(?![a-z0-9])`,
    read: ([all = ''], language) => address(all, language),
  },
  {
    // Without what is never said: scheme, query and fragment.
    pattern: String.raw`(?:https?:\/\/|\bwww\.)[^\s<>()"'\]]*[^\s<>()"'\].,;:!?*_]`,
    read: ([all = ''], language) => address(all.replace(/^https?:\/\/|[?#].*$/gi, '').replace(/[/]+$/, ''), language),
  },
  {
    pattern: String.raw`\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\d-])`,
    read: ([all = ''], language) => {
      const [year = 0, month = 0, date = 0, hour, minute] = all.split(/\D/).map(Number);
      const named = day(year, month, date, language);
      return named === undefined || hour === undefined ? named : `${named}, ${clock(hour, minute ?? 0, language)}`;
    },
  },
  {
    pattern: String.raw`(?<![\d./])\d{1,2}[./]\d{1,2}[./]\d{4}(?![\d/])`,
    read: ([all = ''], language) => {
      const [one = 0, other = 0, year = 0] = all.split(/\D/).map(Number);
      const isMonthFirst = all.includes('/') && monthFirst(language);
      return isMonthFirst ? day(year, one, other, language) : day(year, other, one, language);
    },
  },
  {
    pattern: String.raw`(?<![\d:.])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:]|\s*[ap]\.?m\b)`,
    read: ([all = ''], language) => {
      const [hour = 0, minute = 0] = all.split(':').map(Number);
      return clock(hour, minute, language);
    },
  },
  {
    pattern: String.raw`${sign}\s?${amount}${quantity}`,
    read: ([all = ''], language) => {
      const [symbol = ''] = new RegExp(sign).exec(all) ?? [];
      return price(all.slice(symbol.length), currencies[symbol] ?? 'USD', language);
    },
  },
  {
    pattern: String.raw`(?<![\d.,])${amount}\s?(?:${sign}|(?:USD|EUR|GBP|CHF|JPY|INR|CAD|AUD)\b)`,
    read: ([all = ''], language) => {
      const [, value = '', code = ''] = /^([\d.,'’\u00a0\u202f]*\d)\s?(.*)$/.exec(all) ?? [];
      return price(value, currencies[code] ?? code, language);
    },
  },
  {
    pattern: String.raw`\+\d[\d\s().\/-]{6,20}\d|(?<!\d)(?:\(\d{3}\)\s?|\d{3}[-.])\d{3}[-.]\d{4}(?!\d)|(?<![\d.,])0\d{2,4}[\s\/-]\d{3,4}[\s-]?\d{2,8}(?![\d.,]*\d)`,
    read: ([all = '']) => (all.startsWith('+') ? '+' : '') + digitByDigit(all),
  },
  {
    // Longer than any quantity that is said: a number of an order or a customer.
    pattern: String.raw`(?<![\d.,+])\d{9,}(?![\d.,]*\d)`,
    read: ([all = '']) => digitByDigit(all.replace(/\d{3}(?=\d)/g, '$& ')),
  },
];

type Words = Readonly<Record<string, string>>;

const words = (at: string, dot: string, slash: string, dash: string, underscore: string): Words => ({
  '@': at,
  '.': dot,
  '/': slash,
  '-': dash,
  _: underscore,
});

/** How the marks of mail and web addresses are read, by base language. */
const spoken: Readonly<Record<string, Words>> = {
  ar: words('آت', 'نقطة', 'شرطة مائلة', 'شرطة', 'شرطة سفلية'),
  cs: words('zavináč', 'tečka', 'lomítko', 'pomlčka', 'podtržítko'),
  da: words('snabel-a', 'punktum', 'skråstreg', 'bindestreg', 'understreg'),
  de: words('ät', 'Punkt', 'Schrägstrich', 'Minus', 'Unterstrich'),
  el: words('παπάκι', 'τελεία', 'κάθετος', 'παύλα', 'κάτω παύλα'),
  en: words('at', 'dot', 'slash', 'dash', 'underscore'),
  es: words('arroba', 'punto', 'barra', 'guion', 'guion bajo'),
  fi: words('ät', 'piste', 'kauttaviiva', 'viiva', 'alaviiva'),
  fr: words('arobase', 'point', 'slash', 'tiret', 'tiret bas'),
  hi: words('ऐट', 'डॉट', 'स्लैश', 'डैश', 'अंडरस्कोर'),
  hu: words('kukac', 'pont', 'per', 'kötőjel', 'alsó vonal'),
  it: words('chiocciola', 'punto', 'barra', 'trattino', 'trattino basso'),
  ja: words('アットマーク', 'ドット', 'スラッシュ', 'ハイフン', 'アンダーバー'),
  ko: words('골뱅이', '점', '슬래시', '대시', '밑줄'),
  nb: words('krøllalfa', 'punktum', 'skråstrek', 'bindestrek', 'understrek'),
  nl: words('apenstaartje', 'punt', 'slash', 'streepje', 'laag streepje'),
  pl: words('małpa', 'kropka', 'ukośnik', 'myślnik', 'podkreślnik'),
  pt: words('arroba', 'ponto', 'barra', 'traço', 'sublinhado'),
  ro: words('arond', 'punct', 'bară', 'liniuță', 'liniuță jos'),
  ru: words('собака', 'точка', 'косая черта', 'дефис', 'подчёркивание'),
  sv: words('snabel-a', 'punkt', 'snedstreck', 'bindestreck', 'understreck'),
  tr: words('et', 'nokta', 'eğik çizgi', 'tire', 'alt çizgi'),
  uk: words('равлик', 'крапка', 'коса риска', 'дефіс', 'підкреслення'),
  zh: words('艾特', '点', '斜杠', '横杠', '下划线'),
};

/** The words in a language, or in English, which is common in addresses. */
const addressWordsIn = (language: string): Words =>
  spoken[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? (spoken['en'] as Words);
