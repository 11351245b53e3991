import { createHash } from 'node:crypto';
import { optChangeOf, soleWordOf } from './opt-out.rules';

/** What answers an incoming message: a confirmation of STOP, START or HELP, or the agent. */
export type ReplyKind = 'stop' | 'start' | 'help' | 'agent';

/** Maximum of replies for one pair of numbers, so that two automated senders do not answer each other without end. */
export const replyLimits = { perHour: 20, perDay: 60 } as const;

const helpWords: ReadonlySet<string> = new Set(
  [
    ...['HELP', 'HILFE', 'AIDE', 'AYUDA', 'AJUDA', 'AIUTO', 'HULP', 'POMOC', 'ABI', 'APUA', 'HJÄLP'],
    ...['ПОМОЩЬ', 'ДОПОМОГА', 'ΒΟΗΘΕΙΑ', 'עזרה', 'مساعدة', '帮助', 'ヘルプ'],
  ].map(soleWordOf),
);

export interface Incoming {
  readonly from: string;
  readonly body: string;
  /** Whether the message changed the suppression list. */
  readonly changed: boolean;
  /** Whether the sender was suppressed before the message. */
  readonly suppressed: boolean;
  /** Whether the carrier has already confirmed the keyword. */
  readonly confirmed: boolean;
  readonly agentAnswers: boolean;
}

/**
 * Which reply an incoming message gets. A suppressed sender gets none, except the confirmation of the STOP that suppressed it. Senders that are no phone
 * numbers, such as short codes, cannot be answered.
 */
export function replyKindOf({
  from,
  body,
  changed,
  suppressed,
  confirmed,
  agentAnswers,
}: Incoming): ReplyKind | undefined {
  if (!/^\+[1-9]\d{6,14}$/.test(from)) return undefined;
  const change = optChangeOf(body);
  if (changed) return confirmed ? undefined : change === 'out' ? 'stop' : 'start';
  if (suppressed || change === 'out') return undefined;
  if (confirmed) return undefined;
  if (helpWords.has(soleWordOf(body))) return 'help';
  return agentAnswers && body.trim() !== '' ? 'agent' : undefined;
}

export const pairOf = (ours: string, theirs: string): Buffer =>
  createHash('sha256').update(`${ours}\n${theirs}`).digest();

type Confirmations = Readonly<Record<Exclude<ReplyKind, 'agent'>, string>>;

const english: Confirmations = {
  stop: 'You are unsubscribed and will get no more messages from us. Reply START to subscribe again.',
  start: 'You are subscribed again. Reply STOP to unsubscribe.',
  help: 'Reply STOP to get no more messages from us.',
};

const confirmations: ReadonlyMap<string, Confirmations> = new Map([
  ['en', english],
  [
    'de',
    {
      stop: 'Sie sind abgemeldet und erhalten keine Nachrichten mehr von uns. Mit START melden Sie sich wieder an.',
      start: 'Sie sind wieder angemeldet. Mit STOP melden Sie sich ab.',
      help: 'Antworten Sie STOP, um keine Nachrichten mehr von uns zu erhalten.',
    },
  ],
  [
    'fr',
    {
      stop: 'Vous êtes désabonné et ne recevrez plus de messages de notre part. Répondez START pour vous réabonner.',
      start: 'Vous êtes de nouveau abonné. Répondez STOP pour vous désabonner.',
      help: 'Répondez STOP pour ne plus recevoir de messages de notre part.',
    },
  ],
  [
    'es',
    {
      stop: 'Se ha dado de baja y no recibirá más mensajes nuestros. Responda START para volver a suscribirse.',
      start: 'Se ha suscrito de nuevo. Responda STOP para darse de baja.',
      help: 'Responda STOP para no recibir más mensajes nuestros.',
    },
  ],
  [
    'pt',
    {
      stop: 'A sua subscrição foi cancelada e não receberá mais mensagens nossas. Responda START para voltar.',
      start: 'A sua subscrição está ativa de novo. Responda STOP para cancelar.',
      help: 'Responda STOP para não receber mais mensagens nossas.',
    },
  ],
  [
    'it',
    {
      stop: 'La sua iscrizione è annullata e non riceverà più nostri messaggi. Risponda START per iscriversi di nuovo.',
      start: 'La sua iscrizione è di nuovo attiva. Risponda STOP per annullarla.',
      help: 'Risponda STOP per non ricevere più nostri messaggi.',
    },
  ],
  [
    'nl',
    {
      stop: 'U bent afgemeld en ontvangt geen berichten meer van ons. Antwoord START om u weer aan te melden.',
      start: 'U bent weer aangemeld. Antwoord STOP om u af te melden.',
      help: 'Antwoord STOP om geen berichten meer van ons te ontvangen.',
    },
  ],
]);

/** The text of a confirmation in a language, or in English. */
export function confirmationIn(language: string, kind: keyof Confirmations): string {
  const own = confirmations.get(language.toLowerCase().split(/[-_]/)[0] ?? '') ?? english;
  return own[kind];
}
