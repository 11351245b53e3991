import type { CallStatusReport, CarrierCallEnd } from '../carriers/carrier-reports.rules';

/** The relevant fields of a channel that Asterisk reported as ended. */
export interface EndedChannel {
  readonly id: string;
  /** Its last state; Up means that it was answered. */
  readonly state: string;
  /** An ITU-T Q.850 cause. */
  readonly cause: number;
  /** The SIP response code; 0 for none. */
  readonly sipCode: number;
  /** The platform placed the call. */
  readonly outgoing: boolean;
}

const busy = 17;
/** Causes that mean unanswered: no user responding, no answer, subscriber absent. */
const unanswered = new Set([18, 19, 20]);
/** Codes that mean unanswered: timeout and temporarily unavailable; 487 is the response to our own CANCEL. */
const unansweredCodes = new Set([408, 480, 487]);
const busyCodes = new Set([486, 600]);

function endOf({ state, cause, sipCode, outgoing }: EndedChannel): CarrierCallEnd {
  if (state === 'Up') return 'completed';
  // The caller gave up: the platform itself ends a ringing incoming call only after its record is final.
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
