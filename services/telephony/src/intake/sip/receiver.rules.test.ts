import { receiverOf } from './receiver.rules';

const claim = (organizationId: string, verified: boolean, ownDialer = false) => ({
  organizationId,
  sipTrunkId: `trk_${organizationId}`,
  phoneNumber: '+14155550100',
  verified,
  ownDialer,
});
const [a, b] = [{ organizationId: 'a' }, { organizationId: 'b' }];

describe('the organization of an incoming call over a SIP trunk', () => {
  it.each([
    ['none, if no organization with a trunk at the peer has the number', [], [a], undefined],
    ['the only one that has the number and a trunk at the peer', [claim('a', false)], [a], 'a'],
    ['the one that verified the number', [claim('b', false), claim('a', true)], [a, b], 'a'],
    ['none, if several share the peer and none verified the number', [claim('a', false)], [a, b], undefined],
    [
      'none, if two claim the number and neither verified it',
      [claim('a', false), claim('b', false)],
      [a, b],
      undefined,
    ],
    ['the one with two trunks at the peer', [claim('a', false)], [a, a], 'a'],
    ['none, if the number has dialer own', [claim('a', true, true)], [a], undefined],
  ])('%s', (_, claims, peers, expected) => {
    expect(receiverOf(claims, peers)?.organizationId).toBe(expected);
  });
});
