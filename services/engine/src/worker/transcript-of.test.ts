import { transcriptOf } from './transcript-of';

const turn = { turn_id: 'turn_1', speaker: 'caller', text: '', language: 'en', started_ms: 0, ended_ms: 1 } as const;
const keysOf = (digits: string): string | undefined =>
  transcriptOf({ call: { direction: 'inbound' } } as never, [{ ...turn, digits }] as never, new Map())[0]?.digits;

/** All of these numbers have a correct check digit. */
it.each([
  ['12 digits', '422222222224', true],
  ['13 digits', '4222222222222', false],
  ['16 digits', '4111111111111111', false],
  ['16 digits and #', '4111111111111111#', false],
  ['16 digits, * and a date', '4111111111111111*1226#', false],
  ['19 digits', '6304000000000000000', false],
  ['20 digits', '63040000000000000000', true],
  ['16 digits with a wrong check digit', '4111111111111112', true],
  ['a menu choice', '2#', true],
])('DTMF keys of %s are in the transcript unless they may be a card number: %s %s', (_, digits, kept) =>
  expect(keysOf(digits)).toBe(kept ? digits : undefined),
);
