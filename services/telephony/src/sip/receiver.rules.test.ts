import { receiverOf } from './receiver.rules';

const claim = (organizationId: string, verified: boolean, ownDialer = false) => ({
  organizationId,
  sipTrunkId: `trk_${organizationId}`,
  verified,
  ownDialer,
});
const [a, b] = [{ organizationId: 'a' }, { organizationId: 'b' }];

describe('an incoming call over a trunk', () => {
  it.each([
    ['belongs to no organization where no trunk of its peer has the number', [], [a], undefined],
    ['is of the organization that has it and the peer alone', [claim('a', false)], [a], 'a'],
    ['is of the one that proved the number', [claim('b', false), claim('a', true)], [a, b], 'a'],
    [
      'belongs to no organization if several organizations share the peer and none proved it',
      [claim('a', false)],
      [a, b],
      undefined,
    ],
    ['belongs to no organization if two of them claim it', [claim('a', false), claim('b', false)], [a, b], undefined],
    ['is of the one organization that has two trunks at the peer', [claim('a', false)], [a, a], 'a'],
    ["is not answered here where the organization's own workers answer", [claim('a', true, true)], [a], undefined],
  ])('%s', (_, claims, peers, expected) => {
    expect(receiverOf(claims, peers)?.organizationId).toBe(expected);
  });
});
