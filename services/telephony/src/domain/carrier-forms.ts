import { badRequest } from '@parley/errors';

/** The form of a webhook; nothing of it is believed but its signature. */
type Form = Readonly<Record<string, string>>;

/** A message that came in. */
export interface IncomingMessage {
  readonly carrierMessageId: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
}

/** What became of a message that a carrier took. */
export interface DeliveryReport {
  readonly carrierMessageId: string;
  readonly status: 'sent' | 'delivered' | 'undelivered' | 'failed';
  /** Empty for none. */
  readonly errorCode: string;
}

const longest = { id: 64, number: 40, body: 16_000 } as const;

function field(form: Form, name: string, most: number): string {
  const value = form[name] ?? '';
  if (value.length > most || value.includes('\0')) throw badRequest(`${name} is not valid`);
  return value;
}

const number = /^\+[1-9]\d{1,14}$/;
/** Short codes and alphabetic senders write too. */
const sender = /^[+\w .&-]{1,32}$/;

function sidOf(form: Form): string {
  const sid = field(form, 'MessageSid', longest.id);
  if (sid === '') throw badRequest('MessageSid is required');
  return sid;
}

/** @throws BadRequestError naming the field */
export function incomingOf(form: Form): IncomingMessage {
  const carrierMessageId = sidOf(form);
  const [from, to] = [field(form, 'From', longest.number), field(form, 'To', longest.number)];
  if (!sender.test(from)) throw badRequest('From is not valid');
  if (!number.test(to)) throw badRequest('To is not valid');
  return { carrierMessageId, from, to, body: field(form, 'Body', longest.body) };
}

const statuses: ReadonlyMap<string, DeliveryReport['status']> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'failed'],
]);

/** Undefined for steps on the way that say nothing yet, such as queued and sending. @throws BadRequestError naming the field */
export function reportOf(form: Form): DeliveryReport | undefined {
  const carrierMessageId = sidOf(form);
  const status = statuses.get(field(form, 'MessageStatus', longest.id));
  return status && { carrierMessageId, status, errorCode: field(form, 'ErrorCode', longest.id) };
}
