import { confirmationIn, pairOf, replyKindOf, type Incoming } from './reply.rules';

const plain: Incoming = {
  from: '+14155550123',
  body: 'Are you open?',
  changed: false,
  suppressed: false,
  confirmed: false,
  agentAnswers: true,
};

describe('the kind of reply to an incoming message', () => {
  it.each<[string, Partial<Incoming>, ReturnType<typeof replyKindOf>]>([
    ['a text to an agent that answers', {}, 'agent'],
    ['a text to an agent that does not', { agentAnswers: false }, undefined],
    ['an empty text', { body: ' ' }, undefined],
    ['a text of a suppressed sender', { suppressed: true }, undefined],
    ['STOP', { body: 'Stop.', changed: true }, 'stop'],
    ['STOP of a suppressed sender', { body: 'STOP', suppressed: true }, undefined],
    ['STOP of a sender that was suppressed meanwhile', { body: 'STOP' }, undefined],
    ['START', { body: 'start', changed: true, suppressed: true }, 'start'],
    ['YES of a sender that is not suppressed', { body: 'YES' }, 'agent'],
    ['HELP', { body: 'help!' }, 'help'],
    ['HELP of a suppressed sender', { body: 'HELP', suppressed: true }, undefined],
    ['a sentence with HELP', { body: 'Can you help me?' }, 'agent'],
    ['STOP that the carrier confirmed', { body: 'STOP', changed: true, confirmed: true }, undefined],
    ['HELP that the carrier answered', { body: 'HELP', confirmed: true }, undefined],
    ['HELP of a short code', { from: '12345', body: 'HELP' }, undefined],
    ['a text from an alphanumeric sender', { from: 'BANK' }, undefined],
  ])('%s, with %j: %s', (_, change, wanted) => {
    expect(replyKindOf({ ...plain, ...change })).toBe(wanted);
  });
});

it('pairOf(a, b) is not equal to pairOf(b, a)', () => {
  expect(pairOf('+1', '+2')).toEqual(pairOf('+1', '+2'));
  expect(pairOf('+1', '+2')).not.toEqual(pairOf('+2', '+1'));
});

it('confirmationIn uses the language of the agent, else English', () => {
  expect(confirmationIn('de-AT', 'stop')).toContain('abgemeldet');
  expect(confirmationIn('', 'help')).toBe(confirmationIn('xx', 'help'));
});
