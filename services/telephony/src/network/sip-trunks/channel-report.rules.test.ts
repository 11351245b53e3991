import { endOfLine } from '../../lines/lines/line-end.rules';
import { reportOfEnd, reportOfState } from './channel-report.rules';

/** Values as observed with Asterisk 22.10: Q.850 cause, then SIP response code. */
describe('the report derived from the state or end of an Asterisk channel', () => {
  it.each([
    [486, 17, 'busy', 'sip_486'],
    [600, 17, 'busy', 'sip_600'],
    [603, 21, 'declined', 'sip_603'],
    [480, 19, 'no_answer', 'sip_480'],
    [408, 18, 'no_answer', 'sip_408'],
    [487, 0, 'no_answer', 'sip_487'],
    [404, 1, 'carrier_failure', 'sip_404'],
    [401, 21, 'carrier_failure', 'sip_401'],
    [403, 21, 'carrier_failure', 'sip_403'],
    [503, 34, 'carrier_failure', 'sip_503'],
    [0, 17, 'busy', undefined],
    [0, 19, 'no_answer', undefined],
    [0, 16, 'no_answer', undefined],
    [0, 38, 'carrier_failure', undefined],
  ])('outbound, SIP response %i, cause %i: ended_reason %s', (sipCode, cause, endedReason, reasonDetail) => {
    const report = reportOfEnd({ id: 'c', state: 'Ringing', cause, sipCode, outgoing: true });
    expect(endOfLine(report, 'outbound')).toEqual({ endedReason, ...(reasonDetail && { reasonDetail }) });
  });

  it.each([true, false])('answered: completed (outgoing: %s)', (outgoing) => {
    expect(reportOfEnd({ id: 'c', state: 'Up', cause: 16, sipCode: 0, outgoing })).toMatchObject({ end: 'completed' });
  });

  it('inbound and not answered: canceled', () => {
    const report = reportOfEnd({ id: 'c', state: 'Ring', cause: 127, sipCode: 487, outgoing: false });
    expect(endOfLine(report, 'inbound')).toEqual({ endedReason: 'canceled' });
  });

  it.each([
    ['Down', false],
    ['Ring', false],
    ['Ringing', false],
    ['Up', true],
  ])('open channel in state %s: answered %s', (state, answered) => {
    expect(reportOfState('c', state)).toEqual({ gatewayCallId: 'c', end: undefined, answered, sipCode: '' });
  });
});
