import type { DeliveryReport } from '../carrier-reports.rules';
import type { Carrier, OutgoingMessage, SendOutcome } from '../carrier';
import { twilioProtocol } from '../twilio/adapter';

type ReportedEnd = Pick<DeliveryReport, 'status' | 'errorCode'>;

/**
 * The outcomes of messages to the simulator's special numbers (for calls to the same numbers see docs/reference/calls.md). Messages to all other numbers are
 * delivered.
 */
const ends: Readonly<Record<string, ReportedEnd>> = {
  '+15005550001': { status: 'undelivered', errorCode: 'unreachable' },
  '+15005550002': { status: 'undelivered', errorCode: 'no_answer' },
};
const refused = '+15005550004';

/** The simulator's report on a message. */
export const simulatedEnd = (to: string): ReportedEnd => ends[to] ?? { status: 'delivered', errorCode: '' };

/** A simulated carrier without network or state. Its id for a message is the message's own id, so a repeated send is the same message. */
export class SimulatorCarrier implements Carrier {
  readonly name = 'simulator';
  /** Its webhooks are formatted and signed like a real carrier's, so that both use the same code. */
  readonly protocol = twilioProtocol;
  readonly lines = undefined;
  /** Its numbers are fictitious: no account owns them. */
  readonly owns = undefined;
  readonly dropsRepeats = true;

  constructor(readonly reportAfterSeconds: number) {}

  async send({ messageId, to }: OutgoingMessage): Promise<SendOutcome> {
    if (to === refused) {
      return { outcome: 'refused', code: 'carrier_failure', detail: 'the simulator refuses this number' };
    }
    return { outcome: 'accepted', carrierMessageId: `SM${messageId.slice('msg_'.length)}` };
  }
}
