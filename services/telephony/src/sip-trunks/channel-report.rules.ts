import type { CallStatusReport, CarrierCallEnd } from '../carriers/carrier-reports.rules';

/** A channel that Asterisk reports as ended, reduced to the relevant fields. */
export interface EndedChannel {
  readonly id: string;
  /** Its last state: Up means it was answered. */
  readonly state: string;
  /** An ITU-T Q.850 cause. */
  readonly cause: number;
  /** The SIP response code; 0 for none. */
  readonly sipCode: number;
  /** The platform placed the call. */
  readonly outgoing: boolean;
}

const busy = 17;
/** Unanswered: no user responding, no answer, subscriber absent. */
const unanswered = new Set([18, 19, 20]);
/** Timeouts and temporary unavailability; 487 is the response to our own CANCEL. */
const unansweredCodes = new Set([408, 480, 487]);
const busyCodes = new Set([486, 600]);

function endOf({ state, cause, sipCode, outgoing }: EndedChannel): CarrierCallEnd {
  if (state === 'Up') return 'completed';
  // The peer gave up: the platform only ends ringing calls whose record is already final.
  if (!outgoing) return 'canceled';
  if (sipCode === 0 ? cause === busy : busyCodes.has(sipCode)) return 'busy';
  if (sipCode === 0 ? unanswered.has(cause) || cause === 16 : unansweredCodes.has(sipCode)) return 'no-answer';
  return 'failed';
}

/** The status report for the end of a channel. Pure. */
export const reportOfEnd = (channel: EndedChannel): CallStatusReport => ({
  gatewayCallId: channel.id,
  end: endOf(channel),
  answered: false,
  sipCode: channel.sipCode >= 300 ? String(channel.sipCode) : '',
});

/** The status report for the state of an open channel. Pure. */
export const reportOfState = (id: string, state: string): CallStatusReport => ({
  gatewayCallId: id,
  end: undefined,
  answered: state === 'Up',
  sipCode: '',
});
