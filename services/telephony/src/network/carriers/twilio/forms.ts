import {
  CarrierCallForm,
  CarrierCallStatusForm,
  CarrierMessageForm,
  CarrierMessageStatusForm,
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

/** @throws BadRequestError naming the field */
export function callOf(form: CarrierForm): IncomingCall {
  const { value } = validate(CarrierCallForm, form, { unknown: 'ignore' });
  return { gatewayCallId: value.CallSid, from: value.From, to: value.To };
}

/** @throws BadRequestError naming the field */
export function keysOf(form: CarrierForm): string {
  return validate(CarrierCallForm, form, { unknown: 'ignore' }).value.Digits ?? '';
}

/** @throws BadRequestError naming the field */
export function messageOf(form: CarrierForm): IncomingMessage {
  const { value } = validate(CarrierMessageForm, form, { unknown: 'ignore' });
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
  const { value } = validate(CarrierMessageStatusForm, form, { unknown: 'ignore' });
  const status = statuses.get(value.MessageStatus ?? '');
  return status && { carrierMessageId: value.MessageSid, status, errorCode: value.ErrorCode ?? '' };
}

const callEnds: readonly CarrierCallEnd[] = ['completed', 'failed', 'busy', 'no-answer', 'canceled'];

/** @throws BadRequestError naming the field */
export function callStatusOf(form: CarrierForm): CallStatusReport {
  const { value } = validate(CarrierCallStatusForm, form, { unknown: 'ignore' });
  return callReport(value.CallSid, value.CallStatus, value.SipResponseCode);
}

/** The meaning of a status, in a webhook or in an API response. */
export function callReport(callSid: string, status: string | undefined, sipCode = ''): CallStatusReport {
  const end = callEnds.find((known) => known === status);
  return { gatewayCallId: callSid, end, answered: status === 'in-progress', sipCode };
}
