import { baseLanguage } from '@parley/contract';

/** Words with which a person refuses, by base languages; in the languages of `inParts`, parts of what is said. */
const refusals: Readonly<Record<string, string>> = {
  'af nl': 'nee neen nie niet geen nooit moenie',
  ar: 'لا لأ كلا ليس لن مش',
  'bg ru uk': 'не нет ні недей недейте никогда ніколи',
  bn: 'না নয়',
  'bs hr sl sr': 'ne nemoj nemojte nikar nočem не немој немојте',
  'ca es gl it': 'no non mai nunca tampoco',
  'cs sk': 'ne nie nechci nechcem nechte nikdy',
  'da nb nn no': 'nej nei ikke ikkje aldri aldrig',
  de: 'nein nee nö ne nicht nie niemals kein keine keinen keinesfalls',
  el: 'όχι οχι μη μην δεν δε ποτέ',
  en: "no nope nah not never don't dont won't can't cannot",
  'et fi': 'ei en ära ärge älä älkää',
  eu: 'ez inoiz',
  'fa ur': 'نه نخیر نکن نمی نہیں مت',
  fr: 'non pas jamais',
  ga: 'ná níl ní',
  he: 'לא',
  'hi ne': 'नहीं नही मत होइन छैन हुँदैन नगर्नुहोस्',
  hu: 'nem ne soha',
  hy: 'ոչ չէ մի',
  'id ms': 'tidak tak nggak enggak gak jangan bukan',
  is: 'nei ekki',
  ja: 'いいえ いや いえ だめ ダメ 駄目 やめ 止め 結構です しない ないで 違',
  ko: '아니 아뇨 싫 하지마 안돼 안해 그만',
  'lt lv': 'ne nē nereikia nenoriu niekada nevajag',
  pl: 'nie nigdy',
  pt: 'não nao nunca',
  ro: 'nu niciodată',
  sv: 'nej inte icke aldrig',
  sw: 'hapana la usifanye',
  ta: 'இல்லை வேண்டாம் கூடாது',
  th: 'ไม่ อย่า',
  tr: 'hayır yok istemiyorum olmaz değil',
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
  Object.entries(refusals).flatMap(([languages, text]) =>
    languages.split(' ').map((language) => [language, new Set(text.normalize('NFC').split(' '))]),
  ),
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
