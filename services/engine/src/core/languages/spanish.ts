import type { LanguagePack } from './pack';

export const spanish: LanguagePack = {
  language: 'es',
  checked: 'sentences',
  press: ['pulse', 'presione', 'marque', 'oprima'],
  keys: [
    'cero',
    'uno',
    'dos',
    'tres',
    'cuatro',
    'cinco',
    'seis',
    'siete',
    'ocho',
    'nueve',
    'asterisco',
    'almohadilla',
    'numeral',
  ],
  keyFirst: false,
  queue: [
    'por favor espere',
    'espere un momento',
    'no cuelgue',
    'permanezca en línea',
    'permanezca a la espera',
    'todos nuestros',
    'próximo agente',
    'en cola',
  ],
};
