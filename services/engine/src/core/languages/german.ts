import type { LanguagePack } from './pack';

export const german: LanguagePack = {
  language: 'de',
  checked: 'sentences',
  press: ['drück-', 'wählen', 'wähle', 'tippen'],
  keys: [
    'null',
    'eins',
    'zwei',
    'drei',
    'vier',
    'fünf',
    'sechs',
    'sieben',
    'acht',
    'neun',
    'stern',
    'sterntaste',
    'raute',
    'rautetaste',
  ],
  keyFirst: true,
  queue: [
    'bitte warten',
    'bitte bleiben sie',
    'nächste freie',
    'nächster freier',
    'alle unsere',
    'in der warteschleife',
    'ihr anruf ist uns wichtig',
  ],
};
