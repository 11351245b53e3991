import type { CarrierName } from '@parley/contract';
import type { AddressPolicy } from '@parley/service';
import type { CallStatusReport, DeliveryReport, IncomingCall, IncomingMessage } from './carrier-reports.rules';

/** A text message to be sent. */
export interface OutgoingMessage {
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
}

/** The carrier's response to a message, or what can be concluded when it did not respond. */
export type SendOutcome =
  /** Accepted, with the carrier's message id. */
  | { readonly outcome: 'accepted'; readonly carrierMessageId: string }
  /** Rejected permanently: do not retry. */
  | { readonly outcome: 'refused'; readonly code: string; readonly detail: string }
  /** Not accepted, but a later attempt may succeed. */
  | { readonly outcome: 'not_taken'; readonly code: string; readonly detail: string; readonly afterSeconds?: number }
  /** The request was sent and no response arrived: the carrier may have accepted the message. */
  | { readonly outcome: 'unknown'; readonly detail: string };

/** Whether an account at a carrier owns a number. */
export type Ownership =
  | { readonly outcome: 'owned' | 'not_owned' }
  /** The account's credential is invalid or was revoked. */
  | { readonly outcome: 'refused'; readonly detail: string }
  /** No result; the check can be repeated. */
  | { readonly outcome: 'unknown'; readonly detail: string };

/** The form of a webhook. Untrusted until its signature is verified. */
export type CarrierForm = Readonly<Record<string, string>>;

/** A webhook as signed by its carrier. */
export interface SignedForm {
  /** The URL that the carrier was configured to call, including the query. */
  readonly url: string;
  readonly form: CarrierForm;
  readonly signature: string;
}

/** Parses and renders a carrier's webhooks. Pure. Each parsing method throws BadRequestError naming the field. */
export interface CarrierProtocol extends LineVerbs<string> {
  /** Verifies the signature in constant time. */
  isSigned(secret: string, webhook: SignedForm): boolean;
  /** The account named in a form; empty for none. */
  accountOf(form: CarrierForm): string;
  callOf(form: CarrierForm): IncomingCall;
  callStatusOf(form: CarrierForm): CallStatusReport;
  messageOf(form: CarrierForm): IncomingMessage;
  /** Undefined for intermediate statuses that carry no result. */
  reportOf(form: CarrierForm): DeliveryReport | undefined;
  /** Connects the line to the media gateway at this address and passes the call id as a stream parameter. */
  connectCall(streamUrl: string, callId: string): string;
  /** Answers the call, collects up to `keys` DTMF digits without a prompt (`seconds` is the timeout between digits), and requests `next` with them. */
  askKeys(asking: { readonly keys: number; readonly seconds: number; readonly next: string }): string;
  /** The DTMF digits that were pressed; empty for none. */
  keysOf(form: CarrierForm): string;
  /** For the leg of a transfer: speaks the announcement, if it is not empty, and requests `next` for further instructions. */
  askLeg(announcement: string, next: string): string;
  /** Rejects the call unanswered, so that it is not billed. */
  rejectCall(): string;
  /** A response without instructions. */
  acknowledge(): string;
}

/** An organization's account at a carrier. */
export interface CarrierAccount {
  readonly accountSid: string;
  /** A secret. */
  readonly authToken: string;
}

/** A call to be placed. */
export interface CallOrder {
  readonly organizationId: string;
  readonly callId: string;
  /** The token by which a worker adopts the call; part of the markup for carriers that accept markup. A secret. Empty for a transfer leg. */
  readonly token: string;
  /** Set for the leg of a transfer, which no worker adopts. */
  readonly transferId?: string;
  readonly to: string;
  readonly from: string;
  /** What the carrier executes once the call is answered. */
  readonly markup: string;
  /** What the callee hears first, in the form that engines synthesize; for carriers that accept no markup. */
  readonly announcement?: string | undefined;
  /** Where the carrier posts status updates. */
  readonly statusUrl: string;
  readonly ringSeconds: number;
  /** The carrier ends the call after this time, even if the platform is down. */
  readonly longestSeconds: number;
}

/** The carrier's response to an order, or what can be concluded when it did not respond. */
export type OrderOutcome =
  | { readonly outcome: 'placed'; readonly carrierCallId: string }
  /** The call was not placed. */
  | { readonly outcome: 'refused'; readonly code: string; readonly detail: string }
  /** The request was sent and no response arrived: the call may have been placed. */
  | { readonly outcome: 'unknown'; readonly detail: string };

/** The current state of a call according to the carrier. */
export type CallState =
  | { readonly outcome: 'known'; readonly report: CallStatusReport }
  /** The carrier has no such call. */
  | { readonly outcome: 'none' }
  | { readonly outcome: 'unknown'; readonly detail: string };

/** `not_taken`: the carrier did not do it, but a later attempt may succeed; `unknown`: it may have done it, or never will. */
export type RunOutcome = 'done' | 'not_taken' | 'unknown';

/** Instructions for a line, in the markup of its carrier. */
export interface LineVerbs<T> {
  /** Connects the line to a worker, which adopts the call by its token. When the stream ends, the carrier requests `next`. */
  streamCall(stream: { readonly url: string; readonly token: string; readonly next: string }): T;
  /** Requests `next` again after this time; an unanswered line keeps ringing. */
  holdCall(seconds: number, next: string): T;
  /** Ends the call; the carrier speaks `message` first. */
  endCall(message?: string): T;
  /** Joins the line to the other one in the room; when one call ends, so does the other. */
  joinRoom(room: string): T;
  /** Requests that the other party's carrier calls this address instead (SIP REFER). Absent: the carrier's lines do not support it. */
  refer?(to: string): T;
}

/** The API of a carrier to place and end calls. No method rejects. */
export interface CarrierLines {
  place(order: CallOrder, account: CarrierAccount): Promise<OrderOutcome>;
  fetchState(carrierCallId: string, account: CarrierAccount): Promise<CallState>;
  /** The calls between two numbers placed since a time. Undefined: the carrier could not be queried. */
  placedSince(
    order: Pick<CallOrder, 'to' | 'from' | 'callId'>,
    since: Date,
    account: CarrierAccount,
  ): Promise<readonly string[] | undefined>;
  /**
   * Makes the carrier execute this markup on a call in progress; without markup the carrier requests instructions from the webhook.
   */
  run(carrierCallId: string, markup: string, account: CarrierAccount): Promise<RunOutcome>;
  /** False: the line may still be open. */
  hangUp(carrierCallId: string, account: CarrierAccount): Promise<boolean>;
}

/** A carrier adapter. Adapters keep no significant state: any replica may send, and any may receive the status update. */
export interface Carrier {
  readonly name: CarrierName;
  readonly protocol: CarrierProtocol;
  /** The carrier deduplicates by message id, so that a message with unknown outcome can be sent again. */
  readonly dropsRepeats: boolean;
  /** Seconds after which the adapter itself reports a delivery; undefined: the carrier reports by webhook. */
  readonly reportAfterSeconds: number | undefined;
  /**
   * Sends a message. Never rejects.
   * @param account the organization's account; undefined if it stored none
   */
  send(message: OutgoingMessage, account: CarrierAccount | undefined): Promise<SendOutcome>;
  /** Undefined for a carrier whose calls are placed by workers. */
  readonly lines: CarrierLines | undefined;
  /** Whether the account owns the number. Never rejects. Undefined for a carrier without such a query. */
  readonly owns: ((phoneNumber: string, account: CarrierAccount) => Promise<Ownership>) | undefined;
}

/** The options with which every adapter is constructed. */
export interface CarrierOptions {
  /** Base URL of the API: the carrier's own, or that of a server compatible with it. */
  readonly apiUrl: string;
  /** Base URL of this platform for status webhooks; undefined: carriers send none. */
  readonly publicUrl: string | undefined;
  readonly timeoutMs: number;
}

export type Carriers = Readonly<Record<CarrierName, Carrier>>;

/** The SIP facilities of this installation. */
interface Sip {
  /** Restricts the addresses that peers of trunks may have. */
  readonly policy: AddressPolicy;
  /** Places calls over trunks; undefined: no Asterisk is configured. */
  readonly lines: CarrierLines | undefined;
  /** Encodes an announcement so that an engine, called by the dialplan, speaks it to the other party of a transfer; undefined: no engine can speak the text. */
  readonly announce: (text: string) => string | undefined;
}

/** What the use cases of this hall and of those above need besides `Telephony`. */
export interface Network {
  readonly carriers: Carriers;
  readonly sip: Sip;
}
