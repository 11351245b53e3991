import { callOf } from './forms';

describe('the caller of an incoming call of Twilio', () => {
  const from = (From: string | undefined) => {
    const { from: number, fromRaw } = callOf({
      CallSid: 'CA1',
      To: '+14155550100',
      ...(From !== undefined && { From }),
    });
    return [number, fromRaw];
  };

  it.each(['+266696687', '+7378742833', '+2562533', '+8656696', '+86282452253'])(
    'is no number in %s, with which Twilio spells that it is withheld',
    (sent) => expect(from(sent)).toEqual(['', sent]),
  );
  it.each([
    ['+14155550123', ['+14155550123', null]],
    ['+2666966871', ['+2666966871', null]],
    ['anonymous', ['', 'anonymous']],
    ['sip:ann@example.com', ['', 'sip:ann@example.com']],
    ['', ['', null]],
    [undefined, ['', null]],
  ])('of %j is %j', (sent, caller) => expect(from(sent)).toEqual(caller));
});
