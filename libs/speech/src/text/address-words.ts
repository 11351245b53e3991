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
export const addressWordsIn = (language: string): Words =>
  spoken[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? (spoken['en'] as Words);
