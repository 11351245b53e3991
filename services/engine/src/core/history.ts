import type { Message } from './effects';
import type { ConversationTurn } from './transcript';

/** What the model is given of a conversation: what was heard on the line, and what tools returned. */
export function historyOf(turns: readonly ConversationTurn[]): readonly Message[] {
  return turns.flatMap((turn): Message[] => {
    const { speaker, text, digits, tool_calls: calls = [] } = turn;
    if (speaker === 'caller')
      return [{ role: 'user', text: digits === undefined ? text : `[keys pressed: ${digits}]` }];
    if (calls.length === 0) return text === '' ? [] : [{ role: 'assistant', text }];
    const toolCalls = calls.map(({ tool_call_id: id, name, arguments: given }) => ({ id, name, arguments: given }));
    return [
      { role: 'assistant', text, toolCalls },
      ...calls.map(({ tool_call_id: toolCallId, result }): Message => ({ role: 'tool', toolCallId, text: result })),
    ];
  });
}
