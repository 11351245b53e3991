import type { LanguageModel, ModelEvent, ModelRequest } from '@parley/providers';

/**
 * A fake model that follows its prompt if the prompt is written in this grammar, one rule per line:
 *
 *     When the caller says "<words>", say "<text>".
 *     When the caller says "<words>", call <tool> with <JSON>.
 *     After <tool>, say "<text>".
 *     When the caller says "<words>", say "<text>" and end the call.
 *     Otherwise say "<text>".
 *
 * The first rule that fits counts. It replies at once and the same each time.
 */
export const ruleFollowingModel: LanguageModel = {
  capabilities: { tools: true, parallelToolCalls: false },
  async *generate(request): AsyncIterable<ModelEvent> {
    await Promise.resolve();
    const { text, call } = replyTo(request);
    if (text !== '') yield { type: 'delta', text };
    if (call !== undefined) yield { type: 'tool_call', call: { id: 'call', ...call } };
    yield { type: 'done', finishReason: call === undefined ? 'stop' : 'tool_calls' };
  },
};

interface Reply {
  readonly text: string;
  readonly call?: { readonly name: string; readonly arguments: string };
}

const rules: readonly (readonly [RegExp, (match: readonly string[]) => Reply])[] = [
  [/^When the caller says "(.+?)", say "(.+?)" and end the call\.$/, ([, , text = '']) => ending(text)],
  [/^When the caller says "(.+?)", say "(.+?)"\.$/, ([, , text = '']) => ({ text })],
  [
    /^When the caller says "(.+?)", call (\w+) with (\{.*\})\.$/,
    ([, , name = '', given = '']) => ({ text: '', call: { name, arguments: given } }),
  ],
];

const ending = (text: string): Reply => ({ text, call: { name: 'end_call', arguments: '{}' } });

function replyTo({ messages }: ModelRequest): Reply {
  const lines = messages.flatMap(({ role, text }) => (role === 'system' ? text.split('\n') : []));
  const last = messages.at(-1);
  if (last?.role === 'tool') {
    const asked = messages.findLast((one) => one.role === 'assistant' && (one.toolCalls?.length ?? 0) > 0);
    const name = asked?.role === 'assistant' ? asked.toolCalls?.at(-1)?.name : undefined;
    const after = lines.flatMap((line) => /^After (\w+), say "(.+)"\.$/.exec(line) ?? []);
    return { text: after[1] === name ? (after[2] ?? 'Done.') : 'Done.' };
  }
  const said = messages.findLast(({ role }) => role === 'user')?.text.toLowerCase() ?? '';
  for (const line of lines) {
    for (const [pattern, reply] of rules) {
      const match = pattern.exec(line);
      if (match !== null && said.includes((match[1] ?? '').toLowerCase())) return reply(match);
    }
  }
  const otherwise = lines.flatMap((line) => /^Otherwise say "(.+)"\.$/.exec(line) ?? []);
  return { text: otherwise[1] ?? 'I do not know.' };
}
