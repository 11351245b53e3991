import type { CallStatusReport, CarrierCallEnd } from '../carriers/carrier-reports.rules';

/** A channel that Asterisk reports as ended, in the fields that matter. */
export interface EndedChannel {
  readonly id: string;
  /** The state that it ended in: Up is one that was answered. */
  readonly state: string;
  /** Of ITU-T Q.850. */
  readonly cause: number;
  /** The response code of SIP; 0 for none. */
  readonly sipCode: number;
  /** The platform placed the call. */
  readonly outgoing: boolean;
}

const busy = 17;
/** Without an answer: no user responding, no answer, subscriber absent. */
const unanswered = new Set([18, 19, 20]);
/** Timeouts and temporary unavailability; 487 is the answer to our own CANCEL. */
const unansweredCodes = new Set([408, 480, 487]);
const busyCodes = new Set([486, 600]);

function endOf({ state, cause, sipCode, outgoing }: EndedChannel): CarrierCallEnd {
  if (state === 'Up') return 'completed';
  // The peer gave up: the platform ends calls that ring only where they are over on record.
  if (!outgoing) return 'canceled';
  if (sipCode === 0 ? cause === busy : busyCodes.has(sipCode)) return 'busy';
  if (sipCode === 0 ? unanswered.has(cause) || cause === 16 : unansweredCodes.has(sipCode)) return 'no-answer';
  return 'failed';
}

/** What the end of a channel says of its line. Pure. */
export const reportOfEnd = (channel: EndedChannel): CallStatusReport => ({
  gatewayCallId: channel.id,
  end: endOf(channel),
  answered: false,
  sipCode: channel.sipCode >= 300 ? String(channel.sipCode) : '',
});

/** What the state of an open channel says of its line. Pure. */
export const reportOfState = (id: string, state: string): CallStatusReport => ({
  gatewayCallId: id,
  end: undefined,
  answered: state === 'Up',
  sipCode: '',
});
