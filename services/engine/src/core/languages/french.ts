import type { LanguagePack } from './pack';

export const french: LanguagePack = {
  language: 'fr',
  checked: 'sentences',
  press: ['appuyez', 'tapez', 'composez', 'faites'],
  keys: ['zéro', 'un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf', 'étoile', 'dièse'],
  keyFirst: false,
  queue: [
    'veuillez patienter',
    'ne quittez pas',
    'restez en ligne',
    'tous nos conseillers',
    'prochain conseiller',
    "file d'attente",
  ],
  person: ['allô', 'allo', 'bonjour', 'bonsoir', "je m'appelle", "à l'appareil", 'puis-je', 'je peux vous', 'qui est'],
};
