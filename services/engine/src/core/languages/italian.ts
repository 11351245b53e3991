import type { LanguagePack } from './pack';

export const italian: LanguagePack = {
  language: 'it',
  checked: 'sentences',
  press: ['premere', 'prema', 'premi', 'digitare', 'digiti', 'digita'],
  keys: ['zero', 'uno', 'due', 'tre', 'quattro', 'cinque', 'sei', 'sette', 'otto', 'nove', 'asterisco', 'cancelletto'],
  keyFirst: false,
  queue: [
    'attendere prego',
    'si prega di attendere',
    'rimanga in linea',
    'resti in linea',
    'tutti i nostri',
    'primo operatore',
    'in coda',
  ],
  person: [
    'pronto',
    'buongiorno',
    'buonasera',
    'salve',
    'mi chiamo',
    'chi parla',
    'posso aiutar(?:la|ti)',
    '(?:come|in cosa) posso',
  ],
};
