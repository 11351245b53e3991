import { emptyAnswer } from '../domain/twiml';
import { receiveCarrierMessage } from '../usecases/receive-carrier-message';
import { receiveCarrierReport } from '../usecases/receive-carrier-report';
import type { Handled, Handlers } from './handled';

/** Messages that carriers deliver, and what became of those that they took. */
export function messageHandlers({ telephony }: Handled): Handlers<'receiveCarrierMessage' | 'receiveCarrierReport'> {
  return {
    async receiveCarrierMessage(webhook, context) {
      await receiveCarrierMessage(telephony, webhook, context);
      return { body: emptyAnswer() };
    },
    async receiveCarrierReport(webhook) {
      await receiveCarrierReport(telephony, webhook);
      return { body: emptyAnswer() };
    },
  };
}
