import type { CarrierCallEnd } from '../../network/carriers/carrier-reports.rules';
import { endOfLine } from './line-end.rules';

describe('the end of a carrier line without a worker', () => {
  it.each<[CarrierCallEnd, string, string, string, string | undefined]>([
    ['busy', '486', 'outbound', 'busy', 'sip_486'],
    ['busy', '', 'outbound', 'busy', undefined],
    ['busy', '603', 'outbound', 'declined', 'sip_603'],
    ['failed', '607', 'outbound', 'declined', 'sip_607'],
    ['no-answer', '480', 'outbound', 'no_answer', 'sip_480'],
    ['failed', '404', 'outbound', 'carrier_failure', 'sip_404'],
    ['failed', '99', 'outbound', 'carrier_failure', undefined],
    ['failed', '4040', 'outbound', 'carrier_failure', undefined],
    ['canceled', '', 'outbound', 'carrier_failure', 'canceled_at_carrier'],
    ['canceled', '487', 'inbound', 'canceled', undefined],
    ['completed', '200', 'inbound', 'carrier_completed', 'not_connected'],
  ])(
    'carrier status %s, SIP code %j, direction %s: ended_reason %s',
    (end, sipCode, direction, endedReason, reasonDetail) => {
      const report = { gatewayCallId: 'CA1', end, answered: false, sipCode };
      expect(endOfLine(report, direction)).toEqual({
        endedReason,
        ...(reasonDetail !== undefined && { reasonDetail }),
      });
    },
  );
});
