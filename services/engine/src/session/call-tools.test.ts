import { createLogger } from '@parley/runtime';
import type { CallState } from '../core/state';
import type { ToolOutcome } from '../tools/tool-call';
import { CallTools } from './call-tools';

const log = createLogger({ service: 'test', level: 'silent' });

/** Records for each irreversible tool call, by its arguments, whether it was run as confirmed. */
function tools() {
  const asked: boolean[] = [];
  let turns = 1;
  let ids = 0;
  const ended = new Set<string>();
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
    log,
  });
  return {
    asked,
    callerSpeaks: () => (turns += 1),
    async call(given: string, name = 'refund'): Promise<void> {
      const id = `call_${(ids += 1)}`;
      const transcript = Array.from(
        { length: turns },
        () => ({ speaker: 'caller' }) as CallState['transcript'][number],
      );
      calls.call({ id, name, arguments: given }, { transcript });
      while (!ended.has(id)) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('an irreversible tool', () => {
  it('is confirmed once, by repeating the call after the caller has spoken', async () => {
    const { asked, callerSpeaks, call } = tools();
    await call('{"amount":10,"order":{"id":7,"lines":[1,2]}}');
    await call('{"amount":10,"order":{"id":7,"lines":[1,2]}}');
    callerSpeaks();
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
    const { asked, callerSpeaks, call } = tools();
    await call('{"amount":10}');
    await call('{"amount":[1,2]}');
    callerSpeaks();
    await call(given, name);
    expect(asked).toEqual([false, false, false]);
  });

  it('is confirmed separately for each of several calls', async () => {
    const { asked, callerSpeaks, call } = tools();
    await call('{"order":1}');
    await call('{"order":2}');
    callerSpeaks();
    await call('{"order":2}');
    await call('{"order":1}');
    expect(asked).toEqual([false, false, true, true]);
  });
});
