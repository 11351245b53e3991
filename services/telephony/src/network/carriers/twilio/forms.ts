import {
  CarrierCallForm,
  CarrierCallStatusForm,
  CarrierMessageForm,
  CarrierMessageStatusForm,
  outsideText,
  validate,
} from '@parley/contract';
import type {
  CallStatusReport,
  CarrierCallEnd,
  DeliveryReport,
  IncomingCall,
  IncomingMessage,
} from '../carrier-reports.rules';
import type { CarrierForm } from '../carrier';
import { callerOf } from '../../numbers/caller.rules';

/** What Twilio sends as the number of a caller who withholds it: a word in the letters of a keypad. */
const withheld = new Set(['+266696687', '+7378742833', '+2562533', '+8656696', '+86282452253']);

/** A form whose signature is verified: its text is the caller's, and may be anything. @throws BadRequestError naming the field */
function read<T extends object>(cls: new () => T, form: CarrierForm): T {
  const text = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, outsideText(value)]));
  return validate(cls, text, { unknown: 'ignore' }).value;
}

/** @throws BadRequestError naming the field */
export function callOf(form: CarrierForm): IncomingCall {
  const value = read(CarrierCallForm, form);
  const { From: sent = '' } = value;
  return { gatewayCallId: value.CallSid, to: value.To, ...callerOf(sent, withheld.has(sent) ? '' : undefined) };
}

/** @throws BadRequestError naming the field */
export function keysOf(form: CarrierForm): string {
  return read(CarrierCallForm, form).Digits ?? '';
}

/** @throws BadRequestError naming the field */
export function messageOf(form: CarrierForm): IncomingMessage {
  const value = read(CarrierMessageForm, form);
  const confirmed = value.OptOutType !== undefined;
  return { carrierMessageId: value.MessageSid, from: value.From, to: value.To, body: value.Body ?? '', confirmed };
}

const statuses: ReadonlyMap<string, DeliveryReport['status']> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'failed'],
]);

/** Undefined for intermediate statuses that carry no result, such as queued and sending. @throws BadRequestError naming the field */
export function reportOf(form: CarrierForm): DeliveryReport | undefined {
  const value = read(CarrierMessageStatusForm, form);
  const status = statuses.get(value.MessageStatus ?? '');
  return status && { carrierMessageId: value.MessageSid, status, errorCode: value.ErrorCode ?? '' };
}

const callEnds: readonly CarrierCallEnd[] = ['completed', 'failed', 'busy', 'no-answer', 'canceled'];

/** @throws BadRequestError naming the field */
export function callStatusOf(form: CarrierForm): CallStatusReport {
  const value = read(CarrierCallStatusForm, form);
  return callReport(value.CallSid, value.CallStatus, value.SipResponseCode);
}

/** The meaning of a status, in a webhook or in an API response. */
export function callReport(callSid: string, status: string | undefined, sipCode = ''): CallStatusReport {
  const end = callEnds.find((known) => known === status);
  return { gatewayCallId: callSid, end, answered: status === 'in-progress', sipCode };
}
