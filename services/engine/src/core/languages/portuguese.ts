import type { LanguagePack } from './pack';

export const portuguese: LanguagePack = {
  language: 'pt',
  checked: 'sentences',
  press: ['pressione', 'prima', 'tecle', 'digite', 'marque', 'carregue'],
  keys: [
    'zero',
    'um',
    'dois',
    'três',
    'quatro',
    'cinco',
    'seis',
    'sete',
    'oito',
    'nove',
    'asterisco',
    'cardinal',
    'sustenido',
  ],
  keyFirst: false,
  queue: [
    'por favor aguarde',
    'aguarde',
    'não desligue',
    'permaneça na linha',
    'todos os nossos',
    'próximo atendente',
    'na fila',
  ],
};
