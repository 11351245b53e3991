import type { CallInput } from '../core/inputs';
import { planOf } from '../core/plan';
import { InputLog } from './input-log';
import { replay, UnreadableLogError } from '../../test/replay/replay';
import { jobTo } from '../../test/jobs';

const plan = planOf(
  jobTo('+15005550006', 'job_1', { publication: { first_message: 'Your card is 4111 1111 1111 1111.' } }),
);

function logOf(inputs: readonly CallInput[], most?: number): string {
  let kept = '';
  const log = new InputLog('call_1', (text) => (kept = text), most);
  log.begin(plan, 0);
  inputs.forEach((input, n) =>
    log.take(n * 1_000, input, [{ type: 'speak', utterance: n, text: 'your code is 4711' }]),
  );
  log.end();
  return kept;
}

const inputsOf = (log: string): CallInput[] =>
  log
    .trimEnd()
    .split('\n')
    .slice(1, -1)
    .map((line) => (JSON.parse(line) as [number, CallInput])[1]);

describe('an input log', () => {
  const call = (name: string, given: string): CallInput => ({
    type: 'model_tool_call',
    attempt: 1,
    call: { id: 'tc_1', name, arguments: given },
  });

  it.each<[string, CallInput, RegExp]>([
    [
      'a final transcript',
      { type: 'final', segment: 1, text: 'it is 0000 0000 0000 0000.' },
      /^it is \d{4} \d{4} \d{4} \d{4}\.$/,
    ],
    ['a partial transcript', { type: 'partial', segment: 1, text: '0000 00' }, /^\d{4} \d\d$/],
    ['a typed turn', { type: 'typed', text: 'card 0000000000000000' }, /^card \d{16}$/],
    ['a piece of a reply', { type: 'model_delta', attempt: 1, text: '00000000' }, /^\d{8}$/],
    ['a text of an operator', { type: 'control_say', text: 'call 0000 0000' }, /^call \d{4} \d{4}$/],
    ['DTMF keys of the caller', { type: 'pressed', digits: '0000#' }, /^\d{4}#$/],
    ['DTMF keys of an operator', { type: 'control_press', digits: '*0000' }, /^\*\d{4}$/],
    [
      'the result of a tool',
      { type: 'tool_ended', toolCallId: 'tc_1', outcome: 'succeeded', result: 'secret 4111' },
      /^x{6} x{4}$/,
    ],
    ['the arguments of a tool', call('look_up', '{"key": "secret4111"}'), /^x+ x+$/],
    ['DTMF keys in a tool call', call('press_digits', '{"digits":1000}'), /^\{"digits":[1-9]{4}\}$/],
  ])('contains %s with other digits and the same length', (_, input, expected) => {
    const log = logOf([input]);
    const [kept] = inputsOf(log);
    expect(kept?.type).toBe(input.type);
    const textOf = (one: object): string => {
      const { text, digits, result, call: tool } = one as Record<string, string> & { call?: { arguments: string } };
      return text ?? digits ?? result ?? tool?.arguments ?? '';
    };
    expect(textOf(kept ?? {})).toMatch(expected);
    expect(textOf(kept ?? {})).toHaveLength(textOf(input).length);
    // A replaced digit is never zero.
    expect(textOf(kept ?? {})).not.toContain('0');
    expect(log).not.toMatch(/4111 1111|your code|secret/);
  });

  it('masks equal texts equally, and different ones differently', () => {
    const texts = ['room 4711 4711 4711', 'room 4711 4711 4711', 'room 4711 4711 4712'].map((text): CallInput => ({
      type: 'typed',
      text,
    }));
    const [one, same, other] = inputsOf(logOf(texts)).map((input) => (input as { text: string }).text);
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it('stops at its size limit, and is marked as incomplete', () => {
    const inputs = Array.from({ length: 100 }, (): CallInput => ({ type: 'typed', text: 'hello' }));
    const whole = logOf(inputs);
    const lines = whole.trimEnd().split('\n');
    // The limit counts lines without their line breaks.
    const most = lines.slice(0, 51).join('').length;
    expect(logOf(inputs, most).trimEnd().split('\n')).toHaveLength(51);
    expect(
      logOf(inputs, most - 1)
        .trimEnd()
        .split('\n'),
    ).toHaveLength(50);
    expect(logOf(inputs, most)).not.toContain('"inputs"');
    expect(whole).toContain('{"inputs":100}');
  });

  it.each([
    ['empty', ''],
    ['not JSON', 'hello'],
    ['in another format', '{"form":2,"call_id":"call_1","at":0,"plan":{}}'],
    ['truncated within a line', `${logOf([]).split('\n')[0] ?? ''}\n[0,{"type"`],
  ])('that is %s is refused', (_, text) => expect(() => replay(text)).toThrow(UnreadableLogError));
});
