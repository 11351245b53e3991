import { createLogger, systemClock } from '@parley/runtime';
import type { AgentTool } from '@parley/contract';
import { differencesOf, runSuite } from '../src/simulations/run-suite';
import { SimulationError, type Assertion, type Scenario, type SimulatedAgent } from '../src/simulations/scenario';
import { ruleFollowingModel } from './rule-following-model';

const tools = {
  clock: systemClock,
  log: createLogger({ service: 'test', level: 'silent' }),
  instantModel: true,
};
const lookUp = {
  type: 'webhook',
  name: 'find_slot',
  description: 'Finds a free slot.',
  parameters: { type: 'object' },
  // Nothing listens here, and nothing is sent.
  url: 'http://127.0.0.1:1/',
  method: 'POST',
} as AgentTool;
const endCall = { type: 'builtin', name: 'end_call' } as AgentTool;

const rules = [
  'When the caller says "appointment", call find_slot with {"day":"Tuesday"}.',
  'After find_slot, say "Tuesday at nine is free.".',
  'When the caller says "cost", say "A cleaning costs 80 euros.".',
  'When the caller says "goodbye", say "Goodbye." and end the call.',
  'Otherwise say "How can I help you?".',
];
const agentWith = (prompt: readonly string[]): SimulatedAgent => ({
  systemPrompt: prompt.join('\n'),
  firstMessage: 'Practice of {{doctor}}.',
  language: 'en',
  tools: [lookUp, endCall],
  model: ruleFollowingModel,
});
const agent = agentWith(rules);

const books: Scenario = {
  name: 'books an appointment',
  turns: ['Hello?', 'I need an appointment.', 'Goodbye.'],
  variables: { doctor: 'Dr. Weber' },
  stubs: { find_slot: { result: { free: ['09:00'] } } },
  assertions: [
    { type: 'said', text: 'practice of dr. weber' },
    { type: 'tool_called', name: 'find_slot', arguments: { day: 'Tuesday' } },
    { type: 'said', text: 'nine is free' },
    { type: 'ended_reason', is: 'agent_hung_up' },
    { type: 'turns_at_most', turns: 8 },
  ],
};
const asksPrice: Scenario = {
  name: 'asks the price',
  turns: ['Hello?', 'What does a cleaning cost?', 'Thank you.'],
  assertions: [
    { type: 'said_exactly', text: 'A cleaning costs 80 euros.' },
    { type: 'said_matching', pattern: '\\b\\d+ euros' },
    { type: 'not_said', text: 'dollars' },
    { type: 'tool_not_called', name: 'find_slot' },
    { type: 'ended_reason', is: 'callee_hung_up' },
    { type: 'latency_at_most', ms: 2_000 },
  ],
};
const run = (scenarios: readonly Scenario[], by = agent, repetitions = 1) =>
  runSuite(by, scenarios, repetitions, tools);
const failuresOf = async (scenario: Scenario) =>
  (await run([scenario])).results.flatMap(({ verdicts }) => verdicts.filter(({ passed }) => !passed));

describe('simulations', () => {
  it('conducts scenarios by the rules of calls and judges what was said, called and how it ended', async () => {
    const report = await run([books, asksPrice]);
    expect(report.results.flatMap(({ verdicts }) => verdicts.filter(({ passed }) => !passed))).toEqual([]);
    expect(report.passed).toBe(true);
    const [first] = report.results;
    expect(first?.turns.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      'callee: Hello?',
      'agent: Practice of Dr. Weber.',
      'callee: I need an appointment.',
      // The turn in which the tool was called.
      'agent: ',
      'agent: Tuesday at nine is free.',
      'callee: Goodbye.',
      'agent: Goodbye.',
    ]);
  });

  it('gives the same report for the same suite, times included', async () => {
    const [one, other] = [await run([books, asksPrice], agent, 2), await run([books, asksPrice], agent, 2)];
    expect(other).toEqual(one);
    expect(one.results).toHaveLength(4);
  });

  it('finds a regression that was planted in a prompt, and names scenario and assertion', async () => {
    const before = await run([books, asksPrice]);
    const planted = rules.map((rule) => rule.replace('80 euros', '90 dollars'));
    const after = await run([books, asksPrice], agentWith(planted));
    expect(after.passed).toBe(false);
    expect(differencesOf(after, before)).toEqual([
      {
        scenario: 'asks the price',
        assertion: asksPrice.assertions[0],
        change: 'regression',
        detail: 'no turn is: A cleaning costs 80 euros.',
      },
      {
        scenario: 'asks the price',
        assertion: asksPrice.assertions[1],
        change: 'regression',
        detail: 'no turn matches \\b\\d+ euros',
      },
      {
        scenario: 'asks the price',
        assertion: asksPrice.assertions[2],
        change: 'regression',
        detail: 'was said: A cleaning costs 90 dollars.',
      },
    ]);
    expect(differencesOf(before, after).map(({ change }) => change)).toEqual(['fixed', 'fixed', 'fixed']);
    expect(differencesOf(before, before)).toEqual([]);
  });

  it('runs no tool: one without a stub is unavailable', async () => {
    const { results } = await run([{ ...books, stubs: {} }]);
    const calls = results.flatMap(({ turns }) => turns.flatMap(({ tool_calls: some = [] }) => some));
    expect(calls.find(({ name }) => name === 'find_slot')).toMatchObject({ outcome: 'unavailable' });
  });

  it.each<[string, Assertion]>([
    ['said', { type: 'said', text: 'never said' }],
    ['said by the callee', { type: 'said', by: 'callee', text: 'euros' }],
    ['not said', { type: 'not_said', text: 'COSTS 80' }],
    ['said exactly', { type: 'said_exactly', text: 'A cleaning' }],
    ['said matching', { type: 'said_matching', pattern: '^euros$' }],
    ['a tool called', { type: 'tool_called', name: 'find_slot' }],
    ['an ended reason', { type: 'ended_reason', is: 'agent_hung_up' }],
    ['a number of turns', { type: 'turns_at_most', turns: 5 }],
    ['a latency', { type: 'latency_at_most', ms: 1 }],
  ])('fails an assertion about %s that does not hold', async (_what, assertion) => {
    expect(await failuresOf({ ...asksPrice, assertions: [assertion] })).toHaveLength(1);
  });

  it.each<[string, Assertion]>([
    ['a tool not called', { type: 'tool_not_called', name: 'find_slot' }],
    ['the arguments of a tool', { type: 'tool_called', name: 'find_slot', arguments: { day: 'Monday' } }],
  ])('fails an assertion about %s that does not hold', async (_what, assertion) => {
    expect(await failuresOf({ ...books, assertions: [assertion] })).toHaveLength(1);
  });

  it('reaches a mailbox, a menu, a silent callee and one that interrupts', async () => {
    const always: Assertion[] = [{ type: 'turns_at_most', turns: 50 }];
    const scenarios: Scenario[] = [
      { name: 'mailbox', turns: [], conditions: ['voicemail'], assertions: always },
      { name: 'menu', turns: ['Hello?'], conditions: ['menu'], assertions: always },
      {
        name: 'silence',
        turns: [],
        conditions: ['silence'],
        assertions: [{ type: 'ended_reason', is: 'no_caller_speech_after_answer' }],
      },
      {
        name: 'interruptions',
        turns: ['Hello, who is there?', 'Wait a moment please, I want to know what it does cost.', 'Thank you.'],
        conditions: ['interruptions'],
        assertions: always,
      },
    ];
    const report = await run(scenarios);
    expect(report.passed).toBe(true);
    const said = (name: string) => report.results.find(({ scenario }) => scenario === name)?.turns ?? [];
    expect(said('mailbox')[0]).toMatchObject({ speaker: 'callee', text: expect.stringMatching(/mailbox/) as string });
    expect(said('menu').some(({ text }) => text.includes('press one'))).toBe(true);
    expect(said('silence').some(({ speaker }) => speaker === 'callee')).toBe(false);
  });

  it.each<[string, Partial<Scenario>]>([
    ['noise, which needs sound', { conditions: ['noise'] }],
    ['a mailbox with a menu', { conditions: ['voicemail', 'menu'] }],
    ['a callee that says nothing', { turns: [] }],
    ['no assertion', { assertions: [] }],
    ['a pattern that is none', { assertions: [{ type: 'said_matching', pattern: '(' }] }],
  ])('refuses %s before anything is run, naming scenario and reason', async (_what, change) => {
    const refused = run([books, { ...asksPrice, ...change }]);
    await expect(refused).rejects.toBeInstanceOf(SimulationError);
    await expect(refused).rejects.toMatchObject({ scenario: 'asks the price', reason: expect.any(String) as string });
  });
});
