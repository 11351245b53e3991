import type { Message, MessageProvider } from '../domain/message';

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

/** What a carrier reports of a message that it took. */
export interface ReportedEnd {
  readonly status: 'sent' | 'delivered' | 'undelivered' | 'failed';
  /** Empty for none. */
  readonly errorCode: string;
}

/** An organization's account at a carrier. */
export interface CarrierAccount {
  readonly accountSid: string;
  /** A secret. */
  readonly authToken: string;
}

/** Who carries messages. Adapters hold no state that matters: any replica may send, and any may be told. */
export interface Carrier {
  readonly provider: MessageProvider;
  /** Sent twice under one message id it is one message: an unknown outcome may be tried again. */
  readonly dropsRepeats: boolean;
  /** Seconds after which it reports a delivery of its own accord; undefined: by webhook. */
  readonly reportAfterSeconds: number | undefined;
  /** Never rejects. @param account the organization's; undefined where it stored none */
  send(message: Message, account: CarrierAccount | undefined): Promise<SendOutcome>;
}
