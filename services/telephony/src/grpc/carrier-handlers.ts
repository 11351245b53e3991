import { emptyAnswer } from '../domain/twiml';
import { receiveCarrierCall } from '../usecases/receive-carrier-call';
import { receiveCarrierCallStatus } from '../usecases/receive-carrier-call-status';
import type { Handled, Handlers } from './handled';

/** What carriers send by themselves. */
export function carrierHandlers({ telephony }: Handled): Handlers<'receiveCarrierCall' | 'receiveCarrierCallStatus'> {
  return {
    async receiveCarrierCall(request, context) {
      return { body: await receiveCarrierCall(telephony, request, context) };
    },
    async receiveCarrierCallStatus(request, context) {
      await receiveCarrierCallStatus(telephony, request, context);
      return { body: emptyAnswer() };
    },
  };
}
