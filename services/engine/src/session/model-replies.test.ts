import type { LanguageModel } from '@parley/providers';
import { createLogger } from '@parley/runtime';
import type { ModelInput } from '../core/inputs';
import { ModelReplies } from './model-replies';

it('ends a reply that is longer than any call can speak as failed, and stops reading it', async () => {
  let written = 0;
  let closed = false;
  const model: LanguageModel = {
    capabilities: { tools: true, parallelToolCalls: true },
    async *generate() {
      try {
        for (;;) {
          written += 1_000;
          yield { type: 'delta', text: 'a'.repeat(1_000) };
        }
      } finally {
        closed = true;
      }
    },
  };
  const inputs: ModelInput[] = [];
  const failures: string[] = [];
  const ended = new Promise<void>((resolve) => {
    const replies = new ModelReplies({
      ...{ model, name: 'm', options: {}, systemPrompt: '', tools: [], callId: 'call_1' },
      onInput: (input) => {
        inputs.push(input);
        if (input.type === 'model_failed') resolve();
      },
      onFailure: (_attempt, { code }) => failures.push(code),
      hold: () => () => undefined,
      log: createLogger({ service: 'test', level: 'silent' }),
    });
    replies.start({
      ...{ type: 'start_model', attempt: 1, retry: 0, speculative: false, turnId: 'turn_1' },
      ...{ history: [], mayCallTools: true },
    });
  });
  await ended;
  const text = inputs.flatMap((input) => (input.type === 'model_delta' ? input.text : [])).join('');
  expect(text.length).toBe(32_000);
  expect([failures, closed, written]).toEqual([['invalid_answer'], true, 33_000]);
});
