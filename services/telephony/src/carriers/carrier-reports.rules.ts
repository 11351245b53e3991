/** What carriers report, whatever their forms look like. Types alone. */

/** An incoming call that waits for what to do with it. */
export interface IncomingCall {
  /** The carrier's own id of it. */
  readonly gatewayCallId: string;
  readonly from: string;
  readonly to: string;
}

/** How a carrier says that a line was closed. */
export type CarrierCallEnd = 'completed' | 'failed' | 'busy' | 'no-answer' | 'canceled';

/** What a carrier reports of a call. */
export interface CallStatusReport {
  readonly gatewayCallId: string;
  /** Undefined while the line is open. */
  readonly end: CarrierCallEnd | undefined;
  /** The line is open, and somebody answered it. */
  readonly answered: boolean;
  /** The response code of the signalling, such as 486; empty for none. */
  readonly sipCode: string;
}

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
