import type { CarrierName } from '@parley/contract';
import type { CallStatusReport, DeliveryReport, IncomingCall, IncomingMessage } from './carrier-reports.rules';
import type { Message } from '../messages';

/** What a carrier said to a message, or what is known where it said nothing. */
export type SendOutcome =
  /** It took the message and calls it so. */
  | { readonly outcome: 'accepted'; readonly carrierMessageId: string }
  /** It will never take it. */
  | { readonly outcome: 'refused'; readonly code: string; readonly detail: string }
  /** It certainly did not take it, and may another time. */
  | { readonly outcome: 'not_taken'; readonly code: string; readonly detail: string; readonly afterSeconds?: number }
  /** The request went out and no answer came back: it may have taken it. */
  | { readonly outcome: 'unknown'; readonly detail: string };

/** Whether an account at a carrier owns a number. */
export type Ownership =
  | { readonly outcome: 'owned' | 'not_owned' }
  /** The account's credential is not valid (any more). */
  | { readonly outcome: 'refused'; readonly detail: string }
  /** Nothing is known; it may be asked again. */
  | { readonly outcome: 'unknown'; readonly detail: string };

/** The form of a webhook; nothing of it is believed but its signature. */
export type CarrierForm = Readonly<Record<string, string>>;

/** A webhook as its carrier signs it. */
export interface SignedForm {
  /** The address that the carrier was asked to request, query included. */
  readonly url: string;
  readonly form: CarrierForm;
  readonly signature: string;
}

/** The language of a carrier's webhooks. Pure. Each reader throws BadRequestError naming the field. */
export interface CarrierProtocol extends LineVerbs<string> {
  /** Whether the holder of the secret signed this; takes the same time wherever a signature differs. */
  isSigned(secret: string, webhook: SignedForm): boolean;
  /** The account that a form names; empty for none. */
  accountOf(form: CarrierForm): string;
  callOf(form: CarrierForm): IncomingCall;
  callStatusOf(form: CarrierForm): CallStatusReport;
  messageOf(form: CarrierForm): IncomingMessage;
  /** Undefined for steps on the way that say nothing yet. */
  reportOf(form: CarrierForm): DeliveryReport | undefined;
  /** Connects the line to the media gateway at an address, which learns by a parameter whose call it is. */
  connectCall(streamUrl: string, callId: string): string;
  /** Takes the call, waits in silence for so many keys, as long as they keep coming, and asks at `next` with those that were pressed. */
  askKeys(asking: { readonly keys: number; readonly seconds: number; readonly next: string }): string;
  /** The keys that were pressed; empty for none. */
  keysOf(form: CarrierForm): string;
  /** For the other party of a transfer: says the given text, where it is not empty, and asks at `next` what follows. */
  askLeg(announcement: string, next: string): string;
  /** The call is neither answered nor charged. */
  rejectCall(): string;
  /** Nothing is to be done. */
  acknowledge(): string;
}

/** An organization's account at a carrier. */
export interface CarrierAccount {
  readonly accountSid: string;
  /** A secret. */
  readonly authToken: string;
}

/** A call that is to be placed. */
export interface CallOrder {
  readonly organizationId: string;
  readonly callId: string;
  /** By which a worker adopts the call; it is in the markup, where the carrier takes one. A secret. Empty for a leg. */
  readonly token: string;
  /** It is the leg of a transfer of the call, which no worker adopts. */
  readonly transferId?: string;
  readonly to: string;
  readonly from: string;
  /** What the carrier does once it was answered. */
  readonly markup: string;
  /** What the callee hears first, where the carrier takes no markup: as engines say it. */
  readonly announcement?: string | undefined;
  /** Where the carrier reports what becomes of it. */
  readonly statusUrl: string;
  readonly ringSeconds: number;
  /** The carrier ends it after this time, whatever became of the platform. */
  readonly longestSeconds: number;
}

/** What a carrier said to an order, or what is known where it said nothing. */
export type OrderOutcome =
  | { readonly outcome: 'placed'; readonly carrierCallId: string }
  /** It certainly did not place it. */
  | { readonly outcome: 'refused'; readonly code: string; readonly detail: string }
  /** The request went out and no answer came back: it may have placed it. */
  | { readonly outcome: 'unknown'; readonly detail: string };

/** What a carrier knows of a call now. */
export type CallState =
  | { readonly outcome: 'known'; readonly report: CallStatusReport }
  /** There is no such call. */
  | { readonly outcome: 'none' }
  | { readonly outcome: 'unknown'; readonly detail: string };

/** What a line is to do next, in the language of its carrier. */
export interface LineVerbs<T> {
  /** Connects the line to a worker, which adopts its call by the token. What follows a stream that ended is asked at `next`. */
  streamCall(stream: { readonly url: string; readonly token: string; readonly next: string }): T;
  /** Asks again at `next` after a moment; a line that was not answered yet goes on ringing. */
  holdCall(seconds: number, next: string): T;
  /** Ends the call; what is to be said before it is said by the carrier. */
  endCall(message?: string): T;
  /** Connects the line with the other one in the room; the call of one ends with that of the other. */
  joinRoom(room: string): T;
  /** Asks the other side of the line to call this address in place of the line. Absent: lines of the carrier cannot be asked. */
  refer?(to: string): T;
}

/** The side of a carrier that places and ends calls. None of it rejects. */
export interface CarrierLines {
  place(order: CallOrder, account: CarrierAccount): Promise<OrderOutcome>;
  fetchState(carrierCallId: string, account: CarrierAccount): Promise<CallState>;
  /** The calls between two numbers that were placed since then. Undefined: it could not be learnt. */
  placedSince(
    order: Pick<CallOrder, 'to' | 'from' | 'callId'>,
    since: Date,
    account: CarrierAccount,
  ): Promise<readonly string[] | undefined>;
  /** Has the carrier run this markup on a call in progress, in place of what it does; without markup it asks what follows. False: it may not have. */
  run(carrierCallId: string, markup: string, account: CarrierAccount): Promise<boolean>;
  /** False: the line may still be open. */
  hangUp(carrierCallId: string, account: CarrierAccount): Promise<boolean>;
}

/** A carrier. Adapters hold no state that matters: any replica may send, and any may receive the report. */
export interface Carrier {
  readonly name: CarrierName;
  readonly protocol: CarrierProtocol;
  /** Sent twice under one message id it is one message: an unknown outcome may be tried again. */
  readonly dropsRepeats: boolean;
  /** Seconds after which it reports a delivery of its own accord; undefined: by webhook. */
  readonly reportAfterSeconds: number | undefined;
  /** Never rejects. @param account the organization's; undefined where it stored none */
  send(message: Message, account: CarrierAccount | undefined): Promise<SendOutcome>;
  /** Undefined for a carrier whose calls workers place. */
  readonly lines: CarrierLines | undefined;
  /** Whether the account owns the number. Never rejects. Undefined for a carrier that cannot say. */
  readonly owns: ((phoneNumber: string, account: CarrierAccount) => Promise<Ownership>) | undefined;
}

/** What every adapter is made of. */
export interface CarrierOptions {
  /** Of its API; the carrier's own, or a server's that speaks its protocol. */
  readonly apiUrl: string;
  /** Of this platform, where reports are sent; undefined: they are sent nowhere. */
  readonly publicUrl: string | undefined;
  readonly timeoutMs: number;
}
