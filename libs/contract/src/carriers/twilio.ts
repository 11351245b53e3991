import type { TextBounds } from '../rules/class-facts';
import { Text } from '../rules/constraints';
import { Describe, Example, Optional, Required } from '../rules/decorators';
import { phoneNumber } from '../objects/fields';
import type { CarrierDeclaration } from './carrier';

/**
 * Forms of carriers' webhooks, with the field names of Twilio. A carrier sends many more fields; they are covered by the signature but not read. A value that
 * is not used here, such as another status, does not make the form invalid.
 */

/** A carrier's own id of a message. */
const carrierId: TextBounds = { min: 1, max: 64 };
/** The same limit as for a media gateway's id of a call. */
const carrierCallId: TextBounds = { min: 1, max: 128 };
const word: TextBounds = { max: 64 };
/** Short codes and alphanumeric senders also send messages. */
const sender: TextBounds = {
  pattern: /^[+\w .&-]{1,32}$/,
  description: 'a number, a short code or an alphabetic sender of at most 32 characters',
};

/** The account determines the signing key. An unknown account gets the same response as an invalid signature. */
export class CarrierForm {
  /** Required if organizations have their own accounts; the simulator signs for the whole installation. */
  @Optional() @Text() AccountSid?: string;
}

/** An incoming call. */
export class CarrierCallForm extends CarrierForm {
  /** A webhook with the same id refers to the same call. */
  @Required() @Text(carrierCallId) @Example('CA0a1b2c3d4e5f60718293a4b5c6d7e8f9') CallSid!: string;
  @Required() @Text(phoneNumber) To!: string;
  /** Not necessarily a phone number; may be `anonymous`, for example, or empty. */
  @Optional() @Text({ max: 1000 }) @Example('+14155550101') From?: string;
  /** The DTMF digits that the caller pressed when prompted for them. */
  @Optional() @Text(word) @Describe('Keys that the caller pressed where they were asked for.') Digits?: string;
}

/** A status update of a line. */
export class CarrierCallStatusForm extends CarrierForm {
  @Required() @Text(carrierCallId) @Example('CA0a1b2c3d4e5f60718293a4b5c6d7e8f9') CallSid!: string;
  /** `completed`, `failed`, `busy`, `no-answer` and `canceled` end the call; `in-progress` means that it was answered. All other values are ignored. */
  @Optional() @Text(word) @Example('completed') CallStatus?: string;
  @Optional() @Text(word) @Describe('Only for unanswered calls.') SipResponseCode?: string;
}

/** An incoming message. */
export class CarrierMessageForm extends CarrierForm {
  /** A webhook with the same id refers to the same message. */
  @Required() @Text(carrierId) @Example('SM0a1b2c3d4e5f60718293a4b5c6d7e8f9') MessageSid!: string;
  @Required() @Text(sender) @Example('+14155550101') From!: string;
  @Required() @Text(phoneNumber) To!: string;
  @Optional() @Text({ max: 16_000 }) @Example('Are you open?') Body?: string;
  /** `STOP`, `START` or `HELP`: the carrier recognized the keyword and has answered it. */
  @Optional() @Text(word) OptOutType?: string;
}

/** A status update of a message that the carrier accepted. */
export class CarrierMessageStatusForm extends CarrierForm {
  @Required() @Text(carrierId) @Example('SM0a1b2c3d4e5f60718293a4b5c6d7e8f9') MessageSid!: string;
  /** `sent`, `delivered`, `read`, `undelivered` and `failed` are reported; all other values are ignored. */
  @Optional() @Text(word) @Example('delivered') MessageStatus?: string;
  /** Set if the message was not delivered. */
  @Optional() @Text(word) ErrorCode?: string;
}

/** Twilio: Programmable Voice and Programmable Messaging. */
export const twilio = {
  accounts: true,
  signature: {
    scheme: 'carrierSignature',
    header: 'X-Twilio-Signature',
    pattern: /^[A-Za-z0-9+/]{27}=$/,
    description:
      "As Twilio signs: HMAC-SHA1 over address and form, under the auth token of the organization's stored account; the simulator signs with the token of this installation.",
  },
  forms: {
    receiveCarrierCall: CarrierCallForm,
    receiveCarrierCallStatus: CarrierCallStatusForm,
    receiveCarrierMessage: CarrierMessageForm,
    receiveCarrierReport: CarrierMessageStatusForm,
  },
} as const satisfies CarrierDeclaration;
