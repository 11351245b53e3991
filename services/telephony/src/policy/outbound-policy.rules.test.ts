import { checkDestination, type PolicyRule } from './outbound-policy.rules';

const simulator = Array.from({ length: 9 }, (_, n) => [`+1500555000${n}`, 'allowed', []] as const);

describe('destination rules: premium-rate and emergency numbers are always blocked', () => {
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
  ] as const)('%s is %s by %j', (to, verdict, rules) => {
    expect(checkDestination(to)).toEqual({ verdict, rules });
  });

  it('a blocking rule outweighs a rule that requires review; all matching rules are listed', () => {
    const rule = (id: string, verdict: PolicyRule['verdict']): PolicyRule => ({ id, verdict, applies: () => true });
    expect(checkDestination('+14155550100', [rule('a', 'review')])).toEqual({ verdict: 'review', rules: ['a'] });
    expect(checkDestination('+14155550100', [rule('a', 'review'), rule('b', 'blocked')])).toEqual({
      verdict: 'blocked',
      rules: ['a', 'b'],
    });
  });
});
