import { checkDestination, type PolicyRule } from './outbound-policy.rules';

const simulator = Array.from({ length: 9 }, (_, n) => [`+1500555000${n}`, 'allowed', []] as const);

describe('premium and emergency numbers are refused always', () => {
  it.each([
    ...simulator,
    ['+14155550100', 'allowed', []],
    ['+442079460000', 'allowed', []],
    ['+99912345', 'allowed', []],
    ['+6834000', 'allowed', []],
    ['+19005550123', 'blocked', ['premium_rate_number']],
    ['+449098790000', 'blocked', ['premium_rate_number']],
    ['+499001234567', 'blocked', ['premium_rate_number']],
    ['+1900555012345', 'blocked', ['premium_rate_number']],
    ['+1415555010012', 'allowed', []],
    ['+911', 'blocked', ['emergency_number']],
    ['+112', 'blocked', ['emergency_number']],
    ['+1911', 'blocked', ['emergency_number']],
    ['+49110', 'blocked', ['emergency_number']],
    ['+61000', 'blocked', ['emergency_number']],
  ] as const)('%s is %s', (to, verdict, rules) => {
    expect(checkDestination(to)).toEqual({ verdict, rules });
  });

  it('one rule that blocks outweighs any that want a review; every rule that spoke is named', () => {
    const rule = (id: string, verdict: PolicyRule['verdict']): PolicyRule => ({ id, verdict, applies: () => true });
    expect(checkDestination('+14155550100', [rule('a', 'review')])).toEqual({ verdict: 'review', rules: ['a'] });
    expect(checkDestination('+14155550100', [rule('a', 'review'), rule('b', 'blocked')])).toEqual({
      verdict: 'blocked',
      rules: ['a', 'b'],
    });
  });
});
