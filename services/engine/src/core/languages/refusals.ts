import { baseLanguage } from '@parley/contract';

/** Words with which a person refuses, by base language; in the languages of `inParts`, parts of what is said. */
const refusals: Readonly<Record<string, string>> = {
  af: 'nee nie moenie',
  ar: 'لا لأ كلا ليس لن مش',
  bg: 'не недей недейте',
  bn: 'না নয়',
  bs: 'ne nemoj nemojte',
  ca: 'no mai',
  cs: 'ne nechci nechte nedělejte nikdy',
  da: 'nej ikke aldrig',
  de: 'nein nee nö ne nicht nie niemals kein keine keinen keinesfalls',
  el: 'όχι οχι μη μην δεν δε ποτέ',
  en: "no nope nah not never don't dont won't can't cannot",
  es: 'no nunca tampoco',
  et: 'ei ära ärge',
  eu: 'ez inoiz',
  fa: 'نه نخیر نکن نمی',
  fi: 'ei en älä älkää',
  fr: 'non pas jamais',
  ga: 'ná níl ní',
  gl: 'non nunca',
  he: 'לא',
  hi: 'नहीं नही मत',
  hr: 'ne nemoj nemojte nikako',
  hu: 'nem ne soha',
  hy: 'ոչ չէ մի',
  id: 'tidak tak nggak enggak gak jangan bukan',
  is: 'nei ekki',
  it: 'no non mai',
  ja: 'いいえ いや いえ だめ ダメ 駄目 やめ 止め 結構です しない ないで 違',
  ko: '아니 아뇨 싫 하지마 안돼 안해 그만',
  lt: 'ne nereikia nenoriu niekada',
  lv: 'nē ne nevajag',
  ms: 'tidak tak jangan bukan',
  nb: 'nei ikke aldri',
  ne: 'होइन छैन हुँदैन नगर्नुहोस् नाइँ',
  nl: 'nee neen niet geen nooit',
  nn: 'nei ikkje aldri',
  no: 'nei ikke ikkje aldri',
  pl: 'nie nigdy',
  pt: 'não nao nunca',
  ro: 'nu niciodată',
  ru: 'нет не никогда',
  sk: 'nie nechcem nikdy',
  sl: 'ne nikar nočem',
  sr: 'ne nemoj nemojte не немој немојте',
  sv: 'nej inte icke aldrig',
  sw: 'hapana la usifanye',
  ta: 'இல்லை வேண்டாம் கூடாது',
  th: 'ไม่ อย่า',
  tr: 'hayır yok istemiyorum olmaz değil',
  uk: 'ні не ніколи',
  ur: 'نہیں مت',
  vi: 'không đừng thôi',
  yi: 'ניין נישט ניט',
  zh: '不 别 別 算了',
};

/** Languages that are written without spaces, or in which endings are written together with the word. */
const inParts: ReadonlySet<string> = new Set(['ja', 'ko', 'th', 'zh']);

/** Refusals in any language if nothing else is said: "yes, cancel it" may be the consent to a cancellation. */
const alone: ReadonlySet<string> = new Set([
  ...['stop', 'stopp', 'halt', 'cancel', 'wait', 'hold on', 'forget it', 'abbrechen', 'warte', 'warten sie'],
  ...['arrêtez', 'attendez', 'espera', 'espere', 'aspetti', 'basta', 'wacht', 'стоп'],
]);

const words: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(refusals).map(([language, text]) => [language, new Set(text.normalize('NFC').split(' '))]),
);

/**
 * Whether a person refuses. Any word of refusal counts, also in "no problem": the question is then asked again, which does no harm. In other languages the words
 * of English count.
 */
export function isRefusal(text: string, language: string): boolean {
  const base = baseLanguage(language);
  const own = words.get(base) ?? words.get('en');
  const spoken = text.normalize('NFC').toLowerCase().replaceAll('’', "'");
  const said = spoken.split(/[^\p{L}\p{M}\p{N}']+/u).filter((word) => word !== '');
  if (alone.has(said.join(' '))) return true;
  return inParts.has(base)
    ? [...(own ?? [])].some((part) => said.join('').includes(part))
    : said.some((word) => own?.has(word));
}
