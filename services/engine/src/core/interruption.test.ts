import { sensitivityPresets } from '@parley/contract';
import { Conversation, tool } from '../../test/conversation';
import type { CallPlan } from './plan';

const text = 'Good morning, this is Anna.';
/** The greeting starts at 0. */
const speaking = (change: Partial<CallPlan> = {}, received?: number) =>
  Conversation.answered(
    { firstSpeaker: 'agent', greeting: text, ...change },
    received === undefined ? {} : { received },
  );
const started = (since: number) => ({ type: 'speech_started', since }) as const;
const ended = (lastVoice: number) => ({ type: 'speech_ended', lastVoice }) as const;

describe('interruptions of the agent', () => {
  const thresholds = [150, ...Object.values(sensitivityPresets).map(({ interruptionMs }) => interruptionMs)];
  const rows = [...new Set(thresholds)].flatMap(
    (ms) =>
      [
        [ms, ms - 1, false],
        [ms, ms, true],
      ] as const,
  );

  it.each(rows)('with a threshold of %d ms, %d ms of speech interrupt: %s', (interruptionMs, voiceMs, interrupts) => {
    // The end of speech is reported 250 ms after the last voice.
    const call = speaking({ interruptionMs }, 0).at(1_064, { type: 'tick', received: 1_064 }, started(1_000));
    call.at(1_000 + voiceMs, { type: 'tick', received: 1_000 + voiceMs, voiced: 1_000 + voiceMs });
    call.at(1_000 + voiceMs + 250, { type: 'tick', received: 1_250 + voiceMs, voiced: 1_000 + voiceMs });
    call.at(1_000 + voiceMs + 250, ended(1_000 + voiceMs));
    expect(call.count('stop_utterance')).toBe(interrupts ? 1 : 0);
    if (interrupts) expect(call.when('stop_utterance')).toBe(1_000 + voiceMs);
  });

  it.each(rows)(
    'with a threshold of %d ms on a line that does not report voice, %d ms of speech interrupt: %s',
    (interruptionMs, ms, interrupts) => {
      const call = speaking({ interruptionMs })
        .at(1_000, started(1_000))
        .at(1_000 + ms, ended(1_000 + ms));
      expect(call.count('stop_utterance')).toBe(interrupts ? 1 : 0);
    },
  );

  it('counts only speech after the agent became audible', () => {
    const call = speaking({ interruptionMs: 500 }, 0);
    call.at(900, { type: 'tick', received: 900 }).spoken(900).at(1_000, { type: 'control_say', text: 'Hear me.' });
    call.at(1_400, { type: 'tick', received: 1_400 }, started(900));
    expect(call.at(1_499, { type: 'tick', received: 1_499, voiced: 1_499 }).count('stop_utterance')).toBe(0);
    expect(call.at(1_500, { type: 'tick', received: 1_500, voiced: 1_500 }).count('stop_utterance')).toBe(1);
  });

  describe('min_interruption_words', () => {
    const fillers = ['mhm', 'uh-huh', 'uh'];
    const over = (words: number) =>
      speaking({ interruptionMs: 500, interruptionWords: words, fillers }).at(1_000, started(1_000));

    it.each([
      [1, 'mhm', false],
      [1, 'Mhm, uh-huh!', false],
      [1, 'mhm wait', true],
      [2, 'wait', false],
      [2, 'wait, uh', false],
      [2, 'wait please', true],
      [5, 'one two three four', false],
      [5, 'one two three four five', true],
      [0, '', true],
    ])('of %d: the partial transcript %j interrupts after the threshold: %s', (words, heard, interrupts) => {
      const call = over(words);
      if (heard !== '') call.at(1_300, call.partial(heard));
      expect(call.at(1_499).count('stop_utterance')).toBe(0);
      expect(call.at(1_500).count('stop_utterance')).toBe(interrupts ? 1 : 0);
    });

    it('interrupts when enough words arrive later, partial or final', () => {
      const call = over(1).at(1_800);
      expect(call.at(1_801, call.partial('uh')).count('stop_utterance')).toBe(0);
      expect(call.at(1_900, call.partial('uh no')).when('stop_utterance')).toBe(1_900);
      const other = over(1).at(2_000, ended(2_000));
      expect(other.at(2_300, other.final('No, listen')).when('stop_utterance')).toBe(2_300);
    });
  });

  it('a filler word is in the transcript, but is not answered', () => {
    const call = speaking().says('Mhm', 1_000, 1_200).at(2_000).spoken(3_000);
    expect([call.count('stop_utterance'), call.count('start_model')]).toEqual([0, 0]);
    expect(call.state.transcript.map((turn) => turn.text)).toEqual([text, 'Mhm']);
  });

  it('after an interruption, the caller is answered', () => {
    const call = speaking({ speculates: false }).played(900, 13).says('No, listen', 1_000, 1_800).at(2_600);
    expect(call.last('start_model').history).toEqual([
      { role: 'assistant', text: 'Good morning,' },
      { role: 'user', text: 'No, listen' },
    ]);
  });

  it('an interruption does not cancel a running tool, and its result is used', () => {
    const call = Conversation.asked({ interruptionMs: 500 }).replies(11_000, 'Let me look that up.', tool('look_up'));
    call.at(12_000, started(12_000)).at(12_600, ended(12_600));
    expect([call.count('stop_utterance'), call.count('cancel_tool')]).toEqual([1, 0]);
    call.at(12_700, call.final('Hurry')).at(14_000);
    expect(call.count('start_model')).toBe(1);
    call.at(15_000, { type: 'tool_ended', toolCallId: 'tool-1', outcome: 'succeeded', result: '10' });
    expect(
      call
        .last('start_model')
        .history.slice(-3)
        .map(({ role }) => role),
    ).toEqual(['assistant', 'tool', 'user']);
  });
});

describe('text of an interrupted utterance', () => {
  it.each([
    [0, ''],
    [3, ''],
    [4, 'Good'],
    [5, 'Good'],
    [12, 'Good'],
    [13, 'Good morning,'],
    [14, 'Good morning,'],
    [text.length - 1, 'Good morning, this is'],
    [text.length, text],
  ])('is cut to the last played word: after %d characters it is %j', (offset, left) => {
    const call = speaking();
    if (offset > 0) call.played(900, offset);
    call.at(1_000, started(1_000)).at(1_500).at(1_600, call.final('No')).at(1_700, ended(1_600)).at(4_000);
    const [turn] = call.state.transcript;
    expect(turn).toMatchObject({ text: left, interrupted: true, started_ms: 0, ended_ms: 1_500 });
    const expected = left === '' ? [] : [{ role: 'assistant', text: left }];
    expect(call.last('start_model').history).toEqual([...expected, { role: 'user', text: 'No' }]);
  });

  it('includes a mark that arrives after the line was cleared', () => {
    const call = speaking().played(900, 5).at(1_000, started(1_000)).at(1_500);
    call.at(1_510, { type: 'played', utterance: call.utterance, offset: 21, ms: 1_400 });
    expect(call.state.transcript[0]?.text).toBe('Good morning, this is');
    // Progress never decreases.
    call.at(1_520, { type: 'played', utterance: call.utterance, offset: 5, ms: 1_400 });
    expect(call.state.transcript[0]?.text).toBe('Good morning, this is');
  });
});

describe('speech without words', () => {
  const phantom = (call: Conversation, since: number, lastVoice: number) =>
    call
      .at(since, started(since))
      .at(lastVoice, ended(lastVoice))
      .at(lastVoice + 100, call.final(''));

  it('makes the agent continue the interrupted utterance, without a new model request', () => {
    const call = Conversation.asked({ interruptionMs: 500 })
      .replies(11_000, 'It costs ten euros a month.')
      .played(11_900, 9);
    phantom(call, 12_000, 12_600);
    expect(call.at(13_599).count('start_utterance')).toBe(2);
    expect(call.at(13_600).said.slice(1)).toEqual(['It costs ten euros a month.', 'ten euros a month.']);
    expect(call.count('start_model')).toBe(1);
    call.spoken(15_000);
    expect(call.state.transcript.slice(-2)).toMatchObject([
      { text: 'It costs', interrupted: true },
      { text: 'ten euros a month.' },
    ]);
  });

  it('makes the agent continue with text that the model generated meanwhile', () => {
    const call = Conversation.asked({ interruptionMs: 500 });
    const { attempt } = call;
    call.at(11_000, { type: 'model_delta', attempt, text: 'It costs ' }).played(11_900, 9);
    call
      .at(12_000, started(12_000))
      .at(12_550, { type: 'model_delta', attempt, text: 'ten.' })
      .at(12_560, { type: 'model_done', attempt });
    call.at(12_600, ended(12_600)).at(12_700, call.final('')).at(13_600);
    expect([call.said.at(-1), call.count('cancel_model')]).toEqual(['ten.', 0]);
  });

  it('holds a reply that is not audible yet, and releases it', () => {
    const call = Conversation.asked({}).mute().replies(11_000, 'It costs ten.');
    call.at(11_100, started(11_050));
    expect(call.types().at(-1)).toBe('hold_utterance');
    call.at(11_300, ended(11_100), call.final('')).at(12_100);
    expect(call.types().at(-1)).toBe('release_utterance');
    expect(call.count('start_model')).toBe(1);
  });

  it('also releases the reply if there was only a filler word', () => {
    const call = Conversation.asked({ fillers: ['mhm'] })
      .mute()
      .replies(11_000, 'It costs ten.');
    call.says('Mhm', 11_100, 11_400).at(13_000);
    expect([call.count('release_utterance'), call.count('start_model')]).toEqual([1, 1]);
  });

  it('words stop the held reply, and are answered together with the turn before', () => {
    const call = Conversation.asked({}).mute().replies(11_000, 'It costs ten.');
    call.at(11_100, started(11_050)).at(11_300, call.partial('And two'));
    expect(call.types().slice(-2)).toEqual(['hold_utterance', 'stop_utterance']);
    call.at(11_600, ended(11_500), call.final('And two?')).at(12_600);
    expect(call.last('start_model').history.slice(-2)).toEqual([
      { role: 'user', text: 'What does it cost?' },
      { role: 'user', text: 'And two?' },
    ]);
  });

  it('a greeting that was not audible yet is said after the first turn of the caller', () => {
    const call = Conversation.answered({ firstSpeaker: 'agent', speculates: false }, { sounds: false });
    call.says('Hello?', 100, 600).at(3_000);
    expect([call.said, call.count('start_model')]).toEqual([['Good morning.', 'Good morning.'], 0]);
  });
});

it('a filler word that interrupted an utterance is answered if no text of it remains', () => {
  const call = Conversation.asked({ interruptionMs: 500, fillers: ['mhm'] });
  const { attempt } = call;
  call.at(11_000, { type: 'model_delta', attempt, text: 'It costs ten.' }).played(11_900, 13);
  call.at(12_000, started(12_000)).at(12_600, ended(12_600), call.final('Mhm')).at(14_000);
  expect(call.count('start_model')).toBe(1);
  call.at(14_500, { type: 'model_done', attempt });
  expect(call.last('start_model').history.slice(-2)).toEqual([
    { role: 'assistant', text: 'It costs ten.' },
    { role: 'user', text: 'Mhm' },
  ]);
});
