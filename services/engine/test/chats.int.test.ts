import type { WorkerJobComplete, WorkerJobEvent } from '@parley/contract';
import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { runChat } from '../src/session/run-chat';
import type { CommandResult, LiveCall } from '../src/worker/live-call';
import { environmentWith, willingPlatform } from './running-calls';
import { jobTo, type JobChange } from './jobs';
import { ruleFollowingModel } from './rule-following-model';

const log = createLogger({ service: 'test', level: 'silent' });

const prompt = [
  'When the caller says "price", say "It costs 30 dollars.".',
  'When the caller says "bye", say "Goodbye." and end the call.',
  'When the caller says "tool", call broken with {"a":1}.',
  'After broken, say "That did not work.".',
  'Otherwise say "Hm.".',
].join('\n');

const rules = { name: 'rules', requiresKey: false, model: () => ruleFollowingModel };

interface Chat {
  readonly call: LiveCall;
  readonly events: WorkerJobEvent[];
  readonly completed: WorkerJobComplete[];
  readonly write: (fields?: Record<string, unknown>) => Promise<CommandResult>;
}

function chat(change: JobChange = {}, idleMs = 60_000): Chat {
  const events: WorkerJobEvent[] = [];
  const completed: WorkerJobComplete[] = [];
  const job = jobTo('', 'job_1', {
    publication: { system_prompt: prompt, model: { provider: 'rules', model: 'rules' } },
    ...change,
  });
  const environment = environmentWith(willingPlatform(events, completed), [rules]);
  const call = runChat(environment, { job, log }, idleMs);
  const write = async (fields: Record<string, unknown> = {}): Promise<CommandResult> => {
    await eventually(() => events.some(({ type }) => type === 'media_started') || undefined);
    return (await call.command?.({ type: 'chat', fields })) ?? { outcome: 'performed' };
  };
  return { call, events, completed, write };
}

const reply = (agent_text: string, status = 'open', tool_calls: unknown[] = []) => ({
  outcome: 'performed',
  result: { agent_text, status, tool_calls, turn_id: expect.any(String) as string },
});

describe('a chat', () => {
  it('begins with the first message of the agent, and answers each turn as in a call', async () => {
    const { call, write, events, completed } = chat();
    expect(await write()).toEqual(reply('Good morning, this is Acme.'));
    expect(await write({ text: 'What is the price?' })).toEqual(reply('It costs 30 dollars.'));
    expect(await write({ text: 'bye' })).toMatchObject({ result: { agent_text: 'Goodbye.', status: 'ended' } });
    await call.done;
    expect(events.at(-1)).toMatchObject({ type: 'ended', ended_reason: 'agent_hung_up' });
    expect(completed[0]?.transcript?.turns.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
      'agent: Good morning, this is Acme.',
      'caller: What is the price?',
      'agent: It costs 30 dollars.',
      'caller: bye',
      'agent: Goodbye.',
    ]);
  });

  it('returns the tool calls of the agent and its reply after them', async () => {
    const { write, call } = chat();
    await write();
    expect(await write({ text: 'tool' })).toEqual(
      reply('That did not work.', 'open', [expect.objectContaining({ name: 'broken', outcome: 'unavailable' })]),
    );
    await write({ leaves: true });
    await call.done;
  });

  it('is conducted by a published workflow with variables', async () => {
    const definition = {
      nodes: [
        { id: 'start', type: 'start' },
        { id: 'who', type: 'ask', text: 'Who is writing?', variable: 'name' },
        { id: 'end', type: 'end', text: 'Thank you, {{name}}. {{brand}} will call back.' },
      ],
      edges: [
        { from: 'start', to: 'who' },
        { from: 'who', to: 'end' },
      ],
    };
    const { write, call } = chat({ tuning: { workflow: { definition } } });
    expect(await write()).toEqual(reply('Good morning, this is Acme.'));
    expect(await write({ text: 'Hello' })).toEqual(reply('Who is writing?'));
    expect(await write({ text: 'Ada' })).toMatchObject({
      result: { agent_text: 'Thank you, Ada. Acme will call back.', status: 'ended' },
    });
    await call.done;
  });

  it('refuses a turn as busy while another one is answered', async () => {
    const { write, call } = chat();
    await write();
    const [one, other] = await Promise.all([write({ text: 'price' }), write({ text: 'price' })]);
    expect([one, other].map(({ outcome }) => outcome).sort()).toEqual(['performed', 'refused']);
    expect([one, other]).toContainEqual({ outcome: 'refused', refusal: 'busy', detail: expect.any(String) as string });
    await write({ leaves: true });
    await call.done;
  });

  it('ends when the user leaves, and refuses further turns', async () => {
    const { write, call, events } = chat();
    await write();
    await write({ leaves: true });
    await call.done;
    expect(events.at(-1)).toMatchObject({ type: 'ended', ended_reason: 'caller_hung_up' });
    expect(await write({ text: 'price' })).toMatchObject({ outcome: 'refused', refusal: 'call_over' });
  });

  it('ends after the idle time without a turn', async () => {
    const { write, call, events } = chat({}, 300);
    await write();
    await call.done;
    expect(events.at(-1)).toMatchObject({ type: 'ended', ended_reason: 'no_caller_speech_after_answer' });
  });
});
