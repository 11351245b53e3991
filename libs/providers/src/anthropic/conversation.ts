import type Anthropic from '@anthropic-ai/sdk';
import type { ModelMessage } from '../language-model';

type Block = Anthropic.ContentBlockParam;

/** The API requires that a conversation begins with the user, but a call may begin with the agent's first message. This text is then inserted before it. */
const callBegins = '(The call is connected.)';

/** A conversation in the format of the Messages API: the instructions separate, and the turns of user and assistant alternating. */
export function conversationOf(messages: readonly ModelMessage[]): {
  readonly system?: string;
  readonly messages: Anthropic.MessageParam[];
} {
  const turns: { role: 'user' | 'assistant'; content: Block[] }[] = [];
  const add = (role: 'user' | 'assistant', blocks: Block[]): void => {
    if (blocks.length === 0) return;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: blocks });
  };
  for (const message of messages) if (message.role !== 'system') add(roleOf(message), blocksOf(message));
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', content: [{ type: 'text', text: callBegins }] });
  const system = messages.flatMap(({ role, text }) => (role === 'system' && text.trim() !== '' ? [text] : []));
  return { ...(system.length > 0 && { system: system.join('\n\n') }), messages: turns };
}

const roleOf = ({ role }: ModelMessage): 'user' | 'assistant' => (role === 'assistant' ? 'assistant' : 'user');

function blocksOf(message: ModelMessage): Block[] {
  if (message.role === 'tool') return [{ type: 'tool_result', tool_use_id: message.toolCallId, content: message.text }];
  // The API refuses a text block without text.
  const text: Block[] = message.text.trim() === '' ? [] : [{ type: 'text', text: message.text }];
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [
    ...text,
    ...calls.map(({ id, name, arguments: written }): Block => ({
      type: 'tool_use',
      id,
      name,
      input: inputOf(written),
    })),
  ];
}

/** The arguments of a tool call. The model's output may not be valid JSON, and the API accepts only an object. */
function inputOf(written: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
