import { furtherRecipients, otherNumber } from './message-recipients';

const call = { channel: 'phone', direction: 'inbound', from: '+14155550100', to: '+14155550199' } as const;

it.each<[string, Parameters<typeof otherNumber>[0], string | undefined]>([
  ['an incoming call', call, '+14155550100'],
  ['an outgoing call', { ...call, direction: 'outbound' }, '+14155550199'],
  ['a call in a browser', { ...call, channel: 'browser' }, undefined],
  ['a chat', { ...call, channel: 'chat', from: null, to: null }, undefined],
  ['a caller without a number', { ...call, from: '' }, undefined],
  ['a caller whose carrier writes a word', { ...call, from: 'anonymous' }, undefined],
  ['a caller whose carrier writes digits for it', { ...call, from: '+266696687' }, undefined],
])('the number at the other end of %s', (_, of, number) => expect(otherNumber(of)).toBe(number));

it.each<[string, Parameters<typeof furtherRecipients>[0], readonly string[] | undefined]>([
  ['without the tool', ['send_sms', { type: 'builtin', name: 'end_call', config: { to: ['+1'] } }], undefined],
  ['without a config', [{ type: 'builtin', name: 'send_sms' }], []],
  ['with a list', [{ type: 'builtin', name: 'send_sms', config: { to: ['+14155550100'] } }], ['+14155550100']],
  ['with a config of an earlier release', [{ type: 'builtin', name: 'send_sms', config: { to: '+14155550100' } }], []],
])('further recipients of an agent %s', (_, tools, to) => expect(furtherRecipients(tools)).toEqual(to));
