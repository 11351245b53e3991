import type { LanguagePack } from './pack';

export const dutch: LanguagePack = {
  language: 'nl',
  checked: 'sentences',
  press: ['druk', 'drukt', 'toets', 'toetst', 'kies', 'kiest'],
  keys: ['nul', 'één', 'een', 'twee', 'drie', 'vier', 'vijf', 'zes', 'zeven', 'acht', 'negen', 'sterretje', 'hekje'],
  keyFirst: true,
  queue: [
    'een ogenblik geduld',
    'blijf aan de lijn',
    'blijft u aan de lijn',
    'al onze medewerkers',
    'eerstvolgende',
    'in de wacht',
    'in de wachtrij',
  ],
  person: [
    'hallo',
    'goede(?:morgen|middag|navond)',
    'u spreekt met',
    'spreekt u met',
    'mijn naam is',
    '(?:hoe|waarmee|wat) kan ik',
    'met [^ ]+ van',
  ],
};
