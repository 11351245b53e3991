import type {
  Carrier,
  CarrierAccount,
  CarrierOptions,
  CarrierProtocol,
  OutgoingMessage,
  Ownership,
  SendOutcome,
} from '../carrier';
import { readAnswer, askTwilio, codeOf, neverSent, refusalOf, type TwilioAnswer } from './client';
import * as forms from './forms';
import { TwilioLines } from './lines';
import { isSignedByTwilio } from './signature';
import * as twiml from './twiml';

/** Verifies, parses and answers Twilio's webhooks. */
export const twilioProtocol: CarrierProtocol = {
  isSigned: isSignedByTwilio,
  accountOf: (form) => form['AccountSid'] ?? '',
  callOf: forms.callOf,
  keysOf: forms.keysOf,
  callStatusOf: forms.callStatusOf,
  messageOf: forms.messageOf,
  reportOf: forms.reportOf,
  ...twiml,
};

/**
 * Sends messages with the REST API of Twilio's Programmable Messaging (2010-04-01). Twilio has no idempotency key, so a request that was sent but got no
 * response is never sent again: the outcome arrives with the StatusCallback, whose URL contains our message id.
 */
export class TwilioCarrier implements Carrier {
  readonly name = 'twilio';
  readonly protocol = twilioProtocol;
  readonly dropsRepeats = false;
  readonly reportAfterSeconds = undefined;

  readonly lines: TwilioLines;

  constructor(private readonly options: CarrierOptions) {
    this.lines = new TwilioLines(options);
  }

  async send(message: OutgoingMessage, account: CarrierAccount | undefined): Promise<SendOutcome> {
    if (account === undefined) {
      return { outcome: 'refused', code: 'carrier_not_configured', detail: 'no account has the number' };
    }
    const { publicUrl } = this.options;
    const form = new URLSearchParams({ To: message.to, From: message.from, Body: message.body });
    if (publicUrl !== undefined) {
      form.set('StatusCallback', `${publicUrl.replace(/\/+$/, '')}${statusTarget(message.messageId)}`);
    }
    try {
      const response = await askTwilio(this.options, account, 'Messages.json', { method: 'POST', body: form });
      return outcomeOf(response.status, await readAnswer(response), Number(response.headers.get('retry-after')));
    } catch (error) {
      const code = codeOf(error);
      if (neverSent.has(code)) return { outcome: 'not_taken', code: 'carrier_unreachable', detail: code };
      return { outcome: 'unknown', detail: code };
    }
  }

  /** Checks the account's list of incoming phone numbers, which contains rented and ported numbers. */
  readonly owns = async (phoneNumber: string, account: CarrierAccount): Promise<Ownership> => {
    const query = new URLSearchParams({ PhoneNumber: phoneNumber, PageSize: '20' });
    try {
      const response = await askTwilio(this.options, account, `IncomingPhoneNumbers.json?${query.toString()}`);
      const answer = await readAnswer(response);
      if (response.ok) return { outcome: lists(answer, phoneNumber) ? 'owned' : 'not_owned' };
      const detail = `the carrier answered ${response.status}`;
      return { outcome: [401, 403, 404].includes(response.status) ? 'refused' : 'unknown', detail };
    } catch (error) {
      return { outcome: 'unknown', detail: codeOf(error) };
    }
  };
}

/** Whether the list contains exactly this number: the carrier's filter matches prefixes too. */
function lists({ incoming_phone_numbers: numbers }: TwilioAnswer, phoneNumber: string): boolean {
  const isIt = (one: unknown): boolean =>
    typeof one === 'object' && one !== null && 'phone_number' in one && one.phone_number === phoneNumber;
  return Array.isArray(numbers) && numbers.some(isIt);
}

/** Where Twilio posts the status of a message. */
export const statusTarget = (messageId: string): string => `/v1/carriers/twilio/statuses?message_id=${messageId}`;

function outcomeOf(status: number, answer: TwilioAnswer, retryAfter: number): SendOutcome {
  if (status >= 200 && status < 300) {
    if (typeof answer.sid === 'string' && answer.sid !== '')
      return { outcome: 'accepted', carrierMessageId: answer.sid };
    return { outcome: 'unknown', detail: 'the carrier answered without a sid' };
  }
  const { code, detail } = refusalOf(status, answer);
  if (status === 429) {
    return { outcome: 'not_taken', code, detail, ...(retryAfter > 0 && { afterSeconds: Math.min(retryAfter, 3600) }) };
  }
  // The request may have taken effect before the server error occurred.
  return status >= 500 ? { outcome: 'unknown', detail } : { outcome: 'refused', code, detail };
}
