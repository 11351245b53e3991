import { outcomeOfRefer, refersTo } from './transfer-outcome.rules';

const trunk = { host: 'sip.example.com', port: 5070 };

it.each([
  ['+14155550100', 'sip:+14155550100@sip.example.com:5070'],
  ['sip:desk@pbx.example', 'sip:desk@pbx.example'],
  ['sip:desk@pbx.example:5062', 'sip:desk@pbx.example:5062'],
  ['sip:desk;x=1@pbx.example', undefined],
  ['sip:a,b@pbx.example', undefined],
  ['sip:desk?Replaces=1@pbx.example', undefined],
])('the Refer-To for a transfer to %s is %s', (to, expected) => expect(refersTo(to, trunk)).toBe(expected));

it.each([
  ['SUCCESS', '0', 'connected'],
  ['FAILURE', '486', 'busy'],
  ['FAILURE', '600', 'busy'],
  ['FAILURE', '408', 'no_answer'],
  ['FAILURE', '480', 'no_answer'],
  ['FAILURE', '487', 'no_answer'],
  ['FAILURE', '405', 'refused'],
  ['FAILURE', '603', 'refused'],
  ['FAILURE', '', 'refused'],
  ['UNSUPPORTED', '', 'refused'],
])('a REFER that ended with status %s and code %p has outcome %s', (status, code, expected) =>
  expect(outcomeOfRefer(status, code)).toBe(expected),
);
