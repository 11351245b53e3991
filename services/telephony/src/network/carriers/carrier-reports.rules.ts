/** Status reports of carriers, independent of their webhook formats. Types only. */

import type { Caller } from '../numbers/caller.rules';

/** An incoming call that waits for instructions. */
export interface IncomingCall extends Caller {
  /** The carrier's own id of the call. */
  readonly gatewayCallId: string;
  readonly to: string;
}

/** Why a line was closed, in the carrier's terms. */
export type CarrierCallEnd = 'completed' | 'failed' | 'busy' | 'no-answer' | 'canceled';

/** A carrier's status report about a call. */
export interface CallStatusReport {
  readonly gatewayCallId: string;
  /** Undefined while the line is open. */
  readonly end: CarrierCallEnd | undefined;
  /** The line is open and was answered. */
  readonly answered: boolean;
  /** The SIP response code, such as 486; empty for none. */
  readonly sipCode: string;
}

/** A received message. */
export interface IncomingMessage {
  readonly carrierMessageId: string;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  /** Whether the carrier has already confirmed the keyword that the message consists of. */
  readonly confirmed: boolean;
}

/** The final status of a message that a carrier accepted. */
export interface DeliveryReport {
  readonly carrierMessageId: string;
  readonly status: 'sent' | 'delivered' | 'undelivered' | 'failed';
  /** Empty for none. */
  readonly errorCode: string;
}
