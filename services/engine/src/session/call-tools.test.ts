import { createLogger } from '@parley/runtime';
import { confirmationMs } from '../core/confirmation';
import type { CallState } from '../core/state';
import type { ToolOutcome } from '../tools/tool-call';
import { CallTools } from './call-tools';

const log = createLogger({ service: 'test', level: 'silent' });

/** Records for each irreversible tool call whether it was run as confirmed. */
function tools(confirmationMs?: number) {
  const asked: boolean[] = [];
  const transcript: CallState['transcript'][number][] = [];
  let now = 0;
  let ids = 0;
  const ended = new Set<string>();
  const says = (speaker: 'agent' | 'caller', text: string, language?: string): void => {
    const turn = { turn_id: `t${transcript.length}`, speaker, text, started_ms: now, ended_ms: now };
    transcript.push({ ...turn, ...(language !== undefined && { language }) });
  };
  const calls = new CallTools({
    runner: {
      run: ({ name, toolCallId, confirmed = false }): Promise<ToolOutcome> => {
        asked.push(confirmed);
        const outcome = confirmed ? 'succeeded' : 'confirmation_required';
        const entry = { tool_call_id: toolCallId, name, arguments: {}, result: '', outcome, duration_ms: 0 } as const;
        return Promise.resolve({ outcome, text: '', entry });
      },
      settled: () => Promise.resolve(),
    },
    onEnded: ({ toolCallId }) => ended.add(toolCallId),
    hold: () => () => undefined,
    confirmationMs,
    log,
  });
  says('caller', 'Please refund my order.');
  return {
    asked,
    passes: (ms: number) => (now += ms),
    agent: (text = 'Shall I do it?') => says('agent', text),
    caller: (text: string, language?: string) => says('caller', text, language),
    async call(given = '{"amount":10}', name = 'refund'): Promise<void> {
      const id = `call_${(ids += 1)}`;
      calls.call({ id, name, arguments: given }, { transcript, now, language: 'en' });
      while (!ended.has(id)) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

type Conversation = ReturnType<typeof tools>;

describe('an irreversible tool', () => {
  it('is confirmed once, by repeating the call after the caller has answered', async () => {
    const { asked, agent, caller, call } = tools();
    await call('{"amount":10,"order":{"id":7,"lines":[1,2]}}');
    await call('{"amount":10,"order":{"id":7,"lines":[1,2]}}');
    agent();
    caller('Yes, please.');
    await call('{"order":{"lines":[1,2],"id":7},"amount":10}');
    await call('{"amount":10,"order":{"id":7,"lines":[1,2]}}');
    expect(asked).toEqual([false, false, true, false]);
  });

  it.each([
    ['other arguments', '{"amount":1000}', 'refund'],
    ['arguments in another order of a list', '{"amount":[2,1]}', 'refund'],
    ['another tool', '{"amount":10}', 'refund_all'],
    ['invalid JSON', '{"amount":', 'refund'],
  ])('is not confirmed for %s', async (_, given, name) => {
    const { asked, agent, caller, call } = tools();
    await call('{"amount":10}');
    await call('{"amount":[1,2]}');
    agent();
    caller('Yes.');
    await call(given, name);
    expect(asked).toEqual([false, false, false]);
  });

  it('is confirmed separately for each of several calls', async () => {
    const { asked, agent, caller, call } = tools();
    await call('{"order":1}');
    await call('{"order":2}');
    agent();
    caller('Yes, both.');
    await call('{"order":2}');
    await call('{"order":1}');
    expect(asked).toEqual([false, false, true, true]);
  });

  it.each<[string, boolean, (talk: Conversation) => void]>([
    ['an answer in two turns', true, ({ caller }) => ['Yes.', 'Go ahead.'].forEach((text) => caller(text))],
    ['an answer after 60 seconds', true, ({ passes, caller }) => (passes(60_000), caller('Yes.'))],
    ['an answer after more than 60 seconds', false, ({ passes, caller }) => (passes(60_001), caller('Yes.'))],
    ['a consent that is older than 60 seconds', false, ({ passes, caller }) => (caller('Yes.'), passes(60_001))],
    ['a refusal', false, ({ caller }) => caller('No, leave it.')],
    ['a refusal in the language of the turn', false, ({ caller }) => caller('Lieber nicht.', 'de')],
    ['a refusal and then a consent', false, ({ caller }) => ['No.', 'Well, yes.'].forEach((text) => caller(text))],
    ['noise', false, ({ caller }) => caller('')],
    ['words after one further answer', false, ({ agent, caller }) => (caller('Yes.'), agent('Well.'), caller('Yes.'))],
  ])('after %s it is confirmed: %s', async (_, confirmed, happens) => {
    const talk = tools();
    await talk.call();
    talk.agent();
    happens(talk);
    await talk.call();
    expect(talk.asked).toEqual([false, confirmed]);
  });

  it('is not confirmed by words from before the question, and can be confirmed after a refusal by a new question', async () => {
    const { asked, agent, caller, call } = tools();
    await call();
    caller('Hello?');
    await call();
    agent();
    caller('No.');
    await call();
    agent('Are you sure?');
    caller('Yes, do it.');
    await call();
    expect(asked).toEqual([false, false, false, true]);
  });

  it('is accepted for longer in a chat', async () => {
    const { asked, agent, caller, call, passes } = tools(confirmationMs.typed);
    await call();
    agent();
    passes(confirmationMs.typed);
    caller('Yes.');
    await call();
    expect(asked).toEqual([false, true]);
  });
});
