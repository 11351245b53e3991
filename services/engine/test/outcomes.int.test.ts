import type { Transcript } from '@parley/contract';
import { runCall } from './running-calls';
import type { JobChange } from './jobs';

const textsOf = (transcript: Transcript | null | undefined): string[] =>
  (transcript?.turns ?? []).map(({ speaker, text }) => `${speaker}: ${text}`);

/** The time until the voice plays its first audio. */
const voiceMs = 150;
const prompt = 'My instructions begin: You are the receptionist of Acme.';
const conversation = [
  'callee: Hello?',
  'agent: Good morning, this is Acme.',
  'callee: Who is calling, please?',
  `agent: You said: Who is calling, please? ${prompt}`,
  'callee: All right, thank you very much.',
  `agent: You said: All right, thank you very much. ${prompt}`,
];

describe('outcomes of the simulator carrier by dialed number', () => {
  const answered = ['dialing', 'answered', 'media_started', 'ended'];
  const failed = ['dialing', 'failed'];

  it.each<[string, string, string[], string, string]>([
    ['busy', '+15005550001', failed, 'busy', ''],
    ['no answer', '+15005550002', failed, 'no_answer', ''],
    ['a voicemail with a beep', '+15005550003', answered, 'callee_hung_up', 'voicemail'],
    ['a carrier failure', '+15005550004', failed, 'carrier_failure', ''],
    ['music instead of a person', '+15005550005', answered, 'no_caller_speech_after_answer', 'music'],
    ['a person', '+15005550006', answered, 'callee_hung_up', 'human'],
    ['silence after the answer', '+15005550007', answered, 'no_caller_speech_after_answer', 'unknown'],
    ['a phone menu, then a person', '+15005550008', answered, 'callee_hung_up', 'human'],
    ['a person who hangs up soon', '+15005550009', answered, 'callee_hung_up', 'human'],
    ['any other number: a person', '+4930123456', answered, 'callee_hung_up', 'human'],
  ])('%s (%s)', async (_, to, types, reason, classification) => {
    const { events, completed } = await runCall(to);
    expect(events.map(({ type }) => type)).toEqual(types);
    expect(events.at(-1)?.ended_reason).toBe(reason);
    expect(completed.classification ?? '').toBe(classification);
    expect(completed.transcript === null).toBe(types === failed);
  });

  it('a callee with three turns gets a reply to each and hangs up', async () => {
    const { completed } = await runCall('+15005550006');
    expect(textsOf(completed.transcript)).toEqual(conversation);
  });

  it('turns do not overlap in time', async () => {
    const { completed } = await runCall('+15005550006');
    const turns = completed.transcript?.turns ?? [];
    turns.forEach((turn, index) => {
      expect(turn.ended_ms).toBeGreaterThan(turn.started_ms);
      expect(turn.started_ms).toBeGreaterThanOrEqual(turns[index - 1]?.ended_ms ?? 0);
      expect(turn.language).toBe('en-US');
    });
  });

  it('two calls with the same publication have the same result', async () => {
    expect(await runCall('+15005550006')).toEqual(await runCall('+15005550006'));
  });

  it('the agent navigates a phone menu and then talks to the person', async () => {
    const texts = textsOf((await runCall('+15005550008')).completed.transcript);
    expect(texts[0]).toMatch(/^callee: Thank you for calling/);
    expect(texts).toContain('callee: Who is calling, please?');
  });
});

describe('a call that a published workflow conducts instead of the model', () => {
  const nodes = [
    { id: 'start', type: 'start' },
    { id: 'hello', type: 'say', text: 'This is the line of {{brand}}.' },
    { id: 'why', type: 'ask', text: 'What is it about?', variable: 'subject' },
    { id: 'thanked', type: 'condition', variable: 'subject', operator: 'contains', value: 'thank you' },
    { id: 'end', type: 'end', text: 'You said: {{subject}} Goodbye.' },
    { id: 'lost', type: 'end', text: 'I did not get that.' },
  ];
  const edges = [
    { from: 'start', to: 'hello' },
    { from: 'hello', to: 'why' },
    { from: 'why', to: 'thanked' },
    { from: 'thanked', to: 'end', branch: 'yes' },
    { from: 'thanked', to: 'lost', branch: 'no' },
  ];
  const by = (definition: object): JobChange => ({ tuning: { workflow: { version: 1, sha256: '', definition } } });

  it('after the greeting, says the texts of the nodes, stores answers in variables, branches on them, and hangs up', async () => {
    const { completed, events } = await runCall('+15005550006', by({ nodes, edges }));
    expect(textsOf(completed.transcript)).toEqual([
      'callee: Hello?',
      'agent: Good morning, this is Acme.',
      'callee: Who is calling, please?',
      'agent: This is the line of Acme. What is it about?',
      'callee: All right, thank you very much.',
      'agent: You said: All right, thank you very much. Goodbye.',
    ]);
    expect(events.at(-1)?.ended_reason).toBe('agent_hung_up');
  });

  it('begins with the workflow if there is no greeting', async () => {
    const change = { ...by({ nodes, edges }), publication: { first_message: null } };
    const { completed } = await runCall('+15005550006', change);
    expect(textsOf(completed.transcript).slice(0, 4)).toEqual([
      'callee: Hello?',
      'agent: This is the line of Acme. What is it about?',
      'callee: Who is calling, please?',
      'agent: I did not get that.',
    ]);
  });

  it('ends with model_unresponsive if the workflow loops without reaching a question', async () => {
    const round = [
      { from: 'start', to: 'hello' },
      { from: 'hello', to: 'hello' },
    ];
    const { events } = await runCall('+15005550006', by({ nodes: nodes.slice(0, 2), edges: round }));
    expect(events.at(-1)).toMatchObject({ ended_reason: 'agent_unresponsive', reason_detail: 'model_unresponsive' });
  });
});

describe('effective tuning', () => {
  it('first_speaker: agent speaks before the callee', async () => {
    const { completed } = await runCall('+15005550006', { effective: { first_speaker: 'agent' } });
    const texts = textsOf(completed.transcript);
    expect(texts.slice(0, 2)).toEqual(['agent: Good morning, this is Acme.', 'callee: Hello?']);
    expect(completed.transcript?.turns[0]?.started_ms).toBe(200 + voiceMs);
  });

  it.each([1, 2, 5])('silence_wait_seconds: the agent speaks after %i s of silence', async (seconds) => {
    const { completed } = await runCall('+15005550007', { effective: { silence_wait_seconds: seconds } });
    expect(completed.transcript?.turns[0]).toMatchObject({
      speaker: 'agent',
      started_ms: 200 + seconds * 1_000 + voiceMs,
    });
  });

  it.each([10, 20, 120])('no_caller_speech_seconds: ends after %i s without speech of the caller', async (seconds) => {
    const { events } = await runCall('+15005550007', { effective: { no_caller_speech_seconds: seconds } });
    expect(events.at(-1)?.ended_reason).toBe('no_caller_speech_after_answer');
    expect(events.at(-1)?.elapsed_ms).toBe(seconds * 1_000);
  });

  it('max_call_seconds: ends the call', async () => {
    const { events } = await runCall('+15005550003', { effective: { max_call_seconds: 12 } });
    expect(events.at(-1)).toEqual({ type: 'ended', ended_reason: 'max_call_duration_reached', elapsed_ms: 12_000 });
  });

  it('spend cap: says end_of_call_phrase and ends the call before the cap', async () => {
    const { events, completed } = await runCall('+15005550006', {
      effective: { voice_polish: { end_of_call_phrase: 'Thank you for calling.' } },
      spendCapSeconds: 16,
    });
    const { ended_reason: reason, elapsed_ms: elapsed = NaN } = events.at(-1) ?? {};
    expect([reason, elapsed > 6_000, elapsed <= 16_000]).toEqual(['spend_cap', true, true]);
    expect(textsOf(completed.transcript).at(-1)).toBe('agent: Thank you for calling.');
  });

  it('non_human_audio: end_call ends a call with music', async () => {
    const { events } = await runCall('+15005550005', {
      effective: { answer_detection: { non_human_audio: 'end_call' } },
    });
    expect(events.at(-1)?.ended_reason).toBe('no_human_after_answer');
  });
});

it('an invalid configuration is reported as configuration_not_runnable, and no number is dialed', async () => {
  const { events } = await runCall('+15005550006', { effective: { max_call_seconds: 'long' } });
  expect(events.map(({ type, ended_reason }) => [type, ended_reason])).toContainEqual([
    'failed',
    'configuration_not_runnable',
  ]);
  expect(events.map(({ type }) => type)).not.toContain('answered');
});

describe('the publication of a call', () => {
  it('without a first message, the model generates the greeting', async () => {
    const { completed } = await runCall('+15005550007', { publication: { first_message: null } });
    expect(textsOf(completed.transcript)).toEqual([`agent: Hello. ${prompt}`]);
  });

  it('with a model for which the worker has no account, no number is dialed', async () => {
    const { events, completed } = await runCall('+15005550006', {
      publication: { model: { provider: 'anthropic', model: 'x' } },
    });
    expect(events).toMatchObject([
      {
        type: 'failed',
        ended_reason: 'configuration_not_runnable',
        problems: [{ code: 'configuration_not_runnable' }],
      },
    ]);
    expect(completed.transcript).toBeNull();
  });

  it.each(['transcriber', 'voice'])('with an unavailable %s, a line without audio uses text instead', async (part) => {
    const { events } = await runCall('+15005550006', { publication: { [part]: { provider: 'deepgram', model: 'x' } } });
    expect(events.at(-1)?.ended_reason).toBe('callee_hung_up');
  });
});

it('reports settings that were not applied at the end of the call', async () => {
  const { events } = await runCall('+15005550006', {
    effective: { audio_environment: { preset: 'office', volume: 1 } },
    publication: { follow_caller: { enabled: true } },
  });
  expect(events.at(-1)?.problems?.map(({ code, detail }) => `${code}: ${detail}`)).toEqual([
    'setting_not_applied: this worker does not apply follow_caller',
    'setting_not_applied: this worker does not apply audio_environment',
  ]);
});

it.each([
  { to: '+14155550100', kind: 'cold' },
  { to: 'sip:desk@pbx.example', kind: 'warm', announcement: 'A caller of Acme.' },
])(
  'a transfer node of a workflow requests the transfer from the platform and ends the call as transferred: %j',
  async (asked) => {
    const announcement = asked.announcement?.replace('Acme', '{{brand}}');
    const definition = {
      nodes: [
        { id: 'start', type: 'start' },
        { id: 'over', type: 'transfer', ...asked, ...(announcement === undefined ? {} : { announcement }) },
      ],
      edges: [{ from: 'start', to: 'over' }],
    };
    const { events, transfers } = await runCall('+15005550006', {
      publication: { first_message: null },
      tuning: { workflow: { version: 1, sha256: '', definition } },
    });
    expect(transfers).toMatchObject([{ ...asked, reported: ['dialing', 'answered', 'media_started'] }]);
    expect(events.at(-1)).toMatchObject({ ended_reason: 'transferred' });
  },
);
