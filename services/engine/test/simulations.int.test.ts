import { createLogger, systemClock } from '@parley/runtime';
import type {
  AgentTool,
  RuntimeConfiguration,
  SimulationAssertion,
  SimulationScenario,
  SimulationVerdict,
} from '@parley/contract';
import type { LanguageModel } from '@parley/providers';
import { judge } from '../src/simulations/judge';
import { simulate, type Conversation } from '../src/simulations/simulate';
import type { SimulatedAgent } from '../src/simulations/simulated-agent';
import { ruleFollowingModel } from './rule-following-model';

const tools = { clock: systemClock, log: createLogger({ service: 'test', level: 'silent' }) };
const lookUp = {
  type: 'webhook',
  name: 'find_slot',
  description: 'Finds a free slot.',
  parameters: { type: 'object' },
  // No server listens here, because no request is sent.
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
const agentWith = (prompt: readonly string[], model: LanguageModel = ruleFollowingModel): SimulatedAgent => ({
  configuration: {
    publication: {
      system_prompt: prompt.join('\n'),
      first_message: 'Practice of {{doctor}}.',
      language: 'en',
    } as RuntimeConfiguration['publication'],
    tuning: { tools: [lookUp, endCall] } as RuntimeConfiguration['tuning'],
  },
  modelFor: () => Promise.resolve({ model, name: undefined, options: {} }),
  instantModel: true,
});
const agent = agentWith(rules);

const books: SimulationScenario = {
  name: 'books an appointment',
  callee: { type: 'script', turns: ['Hello?', 'I need an appointment.', 'Goodbye.'] },
  variables: { doctor: 'Dr. Weber' },
  stubs: [{ name: 'find_slot', result: { free: ['09:00'] } }],
  assertions: [
    { type: 'said', text: 'practice of dr. weber' },
    { type: 'tool_called', name: 'find_slot', arguments: { day: 'Tuesday' } },
    { type: 'said', text: 'nine is free' },
    { type: 'ended_reason', is: 'agent_hung_up' },
    { type: 'turns_at_most', turns: 8 },
  ],
};
const asksPrice: SimulationScenario = {
  name: 'asks the price',
  callee: { type: 'script', turns: ['Hello?', 'What does a cleaning cost?', 'Thank you.'] },
  variables: { doctor: 'Dr. Weber' },
  assertions: [
    { type: 'said_exactly', text: 'A cleaning costs 80 euros.' },
    { type: 'said_matching', pattern: '\\b\\d+ euros' },
    { type: 'not_said', text: 'dollars' },
    { type: 'tool_not_called', name: 'find_slot' },
    { type: 'ended_reason', is: 'callee_hung_up' },
    { type: 'latency_at_most', ms: 2_000 },
  ],
};

interface Had extends Conversation {
  readonly verdicts: readonly SimulationVerdict[];
}

async function had(scenario: SimulationScenario, by = agent): Promise<Had> {
  const conversation = await simulate(by, scenario, tools);
  const model = () => by.modelFor({ now: () => 0, after: () => () => undefined, hold: () => () => undefined });
  return { ...conversation, verdicts: await judge(conversation, scenario.assertions, model) };
}
const failuresOf = async (scenario: SimulationScenario, by = agent) =>
  (await had(scenario, by)).verdicts.filter(({ passed }) => !passed);

describe('simulated conversations', () => {
  it('are conducted like calls, and judged by turns, tool calls and the reason of their end', async () => {
    const [first, second] = [await had(books), await had(asksPrice)];
    expect([...first.verdicts, ...second.verdicts].filter(({ passed }) => !passed)).toEqual([]);
    expect(first.turns.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
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

  it('are identical for the same scenario, including times', async () => {
    expect(await had(books)).toEqual(await had(books));
  });

  it('report the failed assertions if a prompt has a regression', async () => {
    const planted = agentWith(rules.map((rule) => rule.replace('80 euros', '90 dollars')));
    expect(await failuresOf(asksPrice, planted)).toEqual([
      { assertion: 0, passed: false, detail: 'no turn equals: A cleaning costs 80 euros.' },
      { assertion: 1, passed: false, detail: 'no turn matches \\b\\d+ euros' },
      { assertion: 2, passed: false, detail: 'was said: A cleaning costs 90 dollars.' },
    ]);
  });

  it('run no tools: a tool without a stub is unavailable', async () => {
    const { turns } = await had({ ...books, stubs: [] });
    const calls = turns.flatMap(({ tool_calls: some = [] }) => some);
    expect(calls.find(({ name }) => name === 'find_slot')).toMatchObject({ outcome: 'unavailable' });
  });

  it.each<[string, SimulationAssertion]>([
    ['said', { type: 'said', text: 'never said' }],
    ['said by the callee', { type: 'said', by: 'callee', text: 'euros' }],
    ['not said', { type: 'not_said', text: 'COSTS 80' }],
    ['said exactly', { type: 'said_exactly', text: 'A cleaning' }],
    ['said matching', { type: 'said_matching', pattern: '^euros$' }],
    ['a pattern with unlimited backtracking', { type: 'said_matching', pattern: '^((.|.)+)+#$' }],
    ['a called tool', { type: 'tool_called', name: 'find_slot' }],
    ['the reason of the end', { type: 'ended_reason', is: 'agent_hung_up' }],
    ['the number of turns', { type: 'turns_at_most', turns: 5 }],
    ['the latency', { type: 'latency_at_most', ms: 1 }],
  ])('fail a wrong assertion about %s', async (_what, assertion) => {
    expect(await failuresOf({ ...asksPrice, assertions: [assertion] })).toHaveLength(1);
  });

  it('do not block the process while a slow pattern is matched', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    const conversation = await had(asksPrice);
    const assertion: SimulationAssertion = { type: 'said_matching', pattern: '^((.|.)+)+#$' };
    const judged = judge(conversation, [assertion], () => Promise.reject(new Error('not needed')));
    count();
    const verdicts = await judged.finally(() => (isOver = true));
    expect(verdicts).toEqual([{ assertion: 0, passed: false, detail: `${assertion.pattern} takes too long to match` }]);
    expect(turns).toBeGreaterThan(50);
  });

  it.each<[string, SimulationAssertion]>([
    ['a tool that was not called', { type: 'tool_not_called', name: 'find_slot' }],
    ['the arguments of a tool', { type: 'tool_called', name: 'find_slot', arguments: { day: 'Monday' } }],
  ])('fail a wrong assertion about %s', async (_what, assertion) => {
    expect(await failuresOf({ ...books, assertions: [assertion] })).toHaveLength(1);
  });

  it('can have a mailbox, a phone menu, a silent callee or one that interrupts', async () => {
    const script = (...turns: string[]): SimulationScenario['callee'] => ({ type: 'script', turns });
    const base: SimulationScenario = { name: 'x', callee: script(), assertions: [] };
    const mailbox = await had({ ...base, conditions: ['voicemail'] });
    expect(mailbox.turns[0]).toMatchObject({ speaker: 'callee', text: expect.stringMatching(/mailbox/) as string });
    const menu = await had({ ...base, callee: script('Hello?'), conditions: ['menu'] });
    expect(menu.turns.some(({ text }) => text.includes('press one'))).toBe(true);
    const silence = await had({ ...base, conditions: ['silence'] });
    expect(silence.turns.some(({ speaker }) => speaker === 'callee')).toBe(false);
    expect(silence.endedReason).toBe('no_caller_speech_after_answer');
    const turns = ['Hello, who is there?', 'Wait a moment please, I want to know what it does cost.', 'Thank you.'];
    const interrupts = await had({ ...base, callee: script(...turns), conditions: ['interruptions'] });
    expect(interrupts.turns.filter(({ speaker }) => speaker === 'callee')).toHaveLength(3);
  });

  it('end after max_turns turns of the callee', async () => {
    const { turns } = await had({ ...asksPrice, max_turns: 1 });
    expect(turns.filter(({ speaker }) => speaker === 'callee').map(({ text }) => text)).toEqual(['Hello?']);
  });

  it('use a model to play a persona and to judge a rubric', async () => {
    const seen: string[] = [];
    const model: LanguageModel = {
      capabilities: { tools: true, parallelToolCalls: false },
      async *generate(request) {
        await Promise.resolve();
        const system = request.messages.find(({ role }) => role === 'system')?.text ?? '';
        seen.push(system);
        if (system.startsWith('You play')) {
          const said = request.messages.filter(({ role }) => role === 'assistant').length;
          yield { type: 'delta', text: said === 0 ? 'What does a cleaning cost?' : '[hang up]' };
          yield { type: 'done', finishReason: 'stop' };
        } else if (request.requiredTool === 'record_verdict') {
          const holds = request.messages.at(-1)?.text.includes('80 euros') === true;
          const verdict = JSON.stringify({ passed: holds, reason: 'The price was given.' });
          yield { type: 'tool_call', call: { id: 'v', name: 'record_verdict', arguments: verdict } };
          yield { type: 'done', finishReason: 'tool_calls' };
        } else yield* ruleFollowingModel.generate(request, new AbortController().signal);
      },
    };
    const persona: SimulationScenario = {
      name: 'persona',
      callee: { type: 'persona', persona: 'a patient', goal: 'know the price', style: 'brief' },
      assertions: [{ type: 'judged', rubric: 'The agent gives the price.' }],
    };
    const { turns, verdicts, endedReason } = await had(persona, agentWith(rules, model));
    expect(turns.filter(({ speaker }) => speaker === 'callee').map(({ text }) => text)).toEqual([
      'Hello?',
      'What does a cleaning cost?',
    ]);
    expect(endedReason).toBe('callee_hung_up');
    expect(verdicts).toEqual([{ assertion: 0, passed: true, detail: 'The price was given.' }]);
    expect(seen.some((system) => system.includes('a patient') && system.includes('know the price'))).toBe(true);
  });
});
