import type { DeliveryReport } from '../carrier-reports.rules';
import type { Message } from '../../messages';
import type { Carrier, SendOutcome } from '../carrier';
import { twilioProtocol } from '../twilio/adapter';

type ReportedEnd = Pick<DeliveryReport, 'status' | 'errorCode'>;

/** How messages to the simulator's numbers end (docs/reference/calls.md has the same numbers for calls); any other is delivered. */
const ends: Readonly<Record<string, ReportedEnd>> = {
  '+15005550001': { status: 'undelivered', errorCode: 'unreachable' },
  '+15005550002': { status: 'undelivered', errorCode: 'no_answer' },
};
const refused = '+15005550004';

/** What the simulator reports of a message. */
export const simulatedEnd = (to: string): ReportedEnd => ends[to] ?? { status: 'delivered', errorCode: '' };

/** A carrier that needs no network and keeps nothing: a message is called after its own id, so that repeats are one. */
export class SimulatorCarrier implements Carrier {
  readonly name = 'simulator';
  /** Its webhooks are written and signed as a real carrier's, so that both take the same path. */
  readonly protocol = twilioProtocol;
  readonly lines = undefined;
  /** Its numbers are made up: no account owns them. */
  readonly owns = undefined;
  readonly dropsRepeats = true;

  constructor(readonly reportAfterSeconds: number) {}

  async send({ messageId, to }: Message): Promise<SendOutcome> {
    if (to === refused) {
      return { outcome: 'refused', code: 'carrier_failure', detail: 'the simulator refuses this number' };
    }
    return { outcome: 'accepted', carrierMessageId: `SM${messageId.slice('msg_'.length)}` };
  }
}
