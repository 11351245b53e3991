import { CarrierCallStatusForm, CarrierMessageForm, CarrierMessageStatusForm, validate } from '@parley/contract';

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

/** @throws BadRequestError naming the field */
export function incomingOf(form: Form): IncomingMessage {
  const { value } = validate(CarrierMessageForm, form, { unknown: 'ignore' });
  return { carrierMessageId: value.MessageSid, from: value.From, to: value.To, body: value.Body ?? '' };
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
  const { value } = validate(CarrierMessageStatusForm, form, { unknown: 'ignore' });
  const status = statuses.get(value.MessageStatus ?? '');
  return status && { carrierMessageId: value.MessageSid, status, errorCode: value.ErrorCode ?? '' };
}

/** How a carrier says that a line was closed. */
const callEnds = ['completed', 'failed', 'busy', 'no-answer', 'canceled'] as const;
export type CarrierCallEnd = (typeof callEnds)[number];

/** What a carrier tells of a call. */
export interface CallStatusReport {
  readonly gatewayCallId: string;
  /** Undefined while the line is open: queued, ringing and in-progress say nothing that its media gateway does not say better. */
  readonly end: CarrierCallEnd | undefined;
}

/** @throws BadRequestError naming the field */
export function callStatusOf(form: Form): CallStatusReport {
  const { value } = validate(CarrierCallStatusForm, form, { unknown: 'ignore' });
  return { gatewayCallId: value.CallSid, end: callEnds.find((end) => end === value.CallStatus) };
}
