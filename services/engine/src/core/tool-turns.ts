import { sinceAnswer, type Draft } from './draft';
import type { RunningTool } from './turn-state';
import type { TurnToolCall } from './transcript';
import { addTurn, changeTurn } from './utterance';

/** Records the outcome of a tool in the agent's turn that called it. */
export function writeToolCall(
  draft: Draft,
  { call, turnId, since }: RunningTool,
  ended: Pick<TurnToolCall, 'outcome' | 'result'>,
): void {
  const { state, now } = draft;
  const written: TurnToolCall = {
    tool_call_id: call.id,
    name: call.name,
    arguments: call.arguments,
    result: ended.result,
    outcome: ended.outcome,
    duration_ms: Math.round(now - since),
  };
  const turn = state.transcript.find(({ turn_id }) => turn_id === turnId);
  if (turn !== undefined) return changeTurn(state, turnId, { tool_calls: [...(turn.tool_calls ?? []), written] });
  // The tool was called by a reply without text.
  const at = sinceAnswer(draft, since);
  addTurn(draft, { turn_id: turnId, speaker: 'agent', text: '', started_ms: at, ended_ms: at, tool_calls: [written] });
}

/** Stops waiting for the running tools. */
export function closeTools(draft: Draft): void {
  for (const tool of draft.state.tools) {
    draft.effects.push({ type: 'cancel_tool', toolCallId: tool.call.id });
    writeToolCall(draft, tool, { outcome: 'canceled', result: '' });
  }
  draft.state.tools = [];
}
