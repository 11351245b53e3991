/** Whether a recipient opted out or in again. */
export type OptChange = 'out' | 'in';

const outWords = [
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE'],
  // German, French, Spanish, Portuguese, Italian, Dutch, Polish, Estonian, Finnish, Swedish.
  ...['STOPP', 'ABMELDEN', 'ARRET', 'ARRÊT', 'DÉSABONNER', 'DESABONNER', 'ALTO', 'BAJA', 'PARAR', 'SAIR', 'CANCELAR'],
  ...['FERMA', 'CANCELLATI', 'AFMELDEN', 'REZYGNUJĘ', 'REZYGNUJE', 'LÕPETA', 'LOPETA', 'AVSLUTA'],
  // Russian, Ukrainian, Greek, Hebrew, Arabic, Chinese, Japanese.
  ...['СТОП', 'ОТПИСАТЬСЯ', 'ВІДПИСАТИСЯ', 'ΔΙΑΚΟΠΗ', 'הסר', 'إيقاف', '停止', '退订', '配信停止'],
];
const inWords = ['START', 'UNSTOP', 'YES', 'OPTIN', 'СТАРТ', 'INICIO', 'DÉMARRER', 'DEMARRER'];

const changes = new Map<string, OptChange>([
  ...outWords.map((word) => [word.normalize('NFC'), 'out'] as const),
  ...inWords.map((word) => [word.normalize('NFC'), 'in'] as const),
]);

/**
 * Whether a message is an opt-out or an opt-in. It must consist of the keyword alone; case, spaces, hyphens and punctuation are ignored. A sentence that
 * contains the keyword is a normal message.
 */
export const optChangeOf = (body: string): OptChange | undefined => changes.get(soleWordOf(body));

/** A short message as a keyword: in upper case, without spaces and punctuation; empty for a longer message. */
export function soleWordOf(body: string): string {
  if (body.length > 40) return '';
  return body
    .normalize('NFC')
    .toUpperCase()
    .replace(/[\s\p{P}]+/gu, '');
}
