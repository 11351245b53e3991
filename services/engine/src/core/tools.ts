import { patchReply, setDeadline, type Draft } from './draft';
import { finish } from './end';
import { expectToolEnd, stopFeedback } from './feedback';
import type { CallInput, ToolCall } from './inputs';
import { moveTo } from './navigation';
import { oweReply } from './owed-reply';
import { say } from './reply';
import { isMailbox } from './answer-detection';
import { writeToolCall } from './tool-turns';
import type { TurnToolCall } from './transcript';
import { awaitSpeech, isTransfer } from './transfer';
import { longestWaits } from './waits';

type Result = Pick<TurnToolCall, 'outcome' | 'result'>;

const succeeded = (result: string): Result => ({ outcome: 'succeeded', result });
const failed = (result: string): Result => ({ outcome: 'failed', result });

/** Runs the tool calls of a reply that is complete and confirmed. The core itself runs tools that act on the call. */
export function callTools(draft: Draft): void {
  const { reply } = draft.state;
  if (reply === null) return;
  patchReply(draft, { toolsCalled: true });
  for (const call of reply.toolCalls) callTool(draft, call, reply.turnId);
  if (reply.toolCalls.length > 0) draft.state.toolRounds += 1;
}

function callTool(draft: Draft, call: ToolCall, turnId: string): void {
  const tool = { call, turnId, since: draft.now };
  const result = callHere(draft, call);
  if (result === undefined) {
    draft.state.tools = [...draft.state.tools, tool];
    draft.effects.push({ type: 'call_tool', turnId, call });
    boundTools(draft);
    if (isTransfer(tool)) awaitSpeech(draft);
    return expectToolEnd(draft, call.name);
  }
  writeToolCall(draft, tool, result);
  // The model has to be informed that the requested action is not possible.
  if (result.outcome === 'failed') patchReply(draft, { followUp: true });
}

/** The result of a tool that the core itself runs; undefined if the driver has to run it. */
function callHere(draft: Draft, { name, arguments: given }: ToolCall): Result | undefined {
  const { plan, evidence, unknownTools } = draft.state;
  if (unknownTools.includes(name)) return failed('It is not known whether it was done before: ask the caller first.');
  if (name === 'end_call') {
    patchReply(draft, { endsCall: true });
    return succeeded('The call ends.');
  }
  if (name === 'leave_voicemail') {
    if (!isMailbox(evidence)) return failed('No mailbox is proven: this is treated as a person.');
    return leaveVoicemail(draft, voicemailIn(given) ?? plan.voicemailMessage);
  }
  if (plan.conduct.navigation === null) return undefined;
  switch (name) {
    case 'press_digits': {
      const digits = digitsIn(given);
      if (digits === undefined) return failed('digits: 1 to 32 of 0-9, * and #.');
      oweReply(draft, false);
      draft.effects.push({ type: 'press', digits });
      return succeeded('Pressed.');
    }
    case 'wait_on_hold':
      oweReply(draft, false);
      moveTo(draft, 'hold');
      return succeeded('Waiting.');
    case 'abandon_navigation':
      patchReply(draft, { endsCall: true });
      return succeeded('The call ends.');
    default:
      return undefined;
  }
}

/** The message is said after the beep, or after the longest wait for one. Nothing else is said until then. */
function leaveVoicemail(draft: Draft, message: string): Result {
  if (message.trim() === '') {
    patchReply(draft, { endsCall: true });
    return succeeded('There is no message in this language.');
  }
  const text = draft.state.reply?.text ?? '';
  if (draft.state.evidence.machine?.kind === 'beep') {
    patchReply(draft, { text: text + (text.trim() === '' ? '' : ' ') + message, endsCall: true });
    return succeeded('The message is left.');
  }
  draft.state.voicemail = message;
  oweReply(draft, false);
  setDeadline(draft, 'beep', draft.now + longestWaits.beep);
  return succeeded('The message is left after the beep, then the call ends.');
}

/** The beep was heard, or did not come. */
export function onVoicemailDue(draft: Draft): void {
  const { voicemail } = draft.state;
  setDeadline(draft, 'beep', undefined);
  draft.state.voicemail = null;
  if (voicemail !== null) say(draft, voicemail, true);
}

function argumentIn(given: string, name: string): unknown {
  try {
    return (JSON.parse(given) as Readonly<Record<string, unknown>> | null)?.[name];
  } catch {
    return undefined;
  }
}

const mostVoicemailChars = 400;

function voicemailIn(given: string): string | undefined {
  const text = argumentIn(given, 'text');
  return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, mostVoicemailChars) : undefined;
}

function digitsIn(given: string): string | undefined {
  const digits = argumentIn(given, 'digits');
  const text = typeof digits === 'number' ? String(digits) : digits;
  return typeof text === 'string' && /^[0-9*#]{1,32}$/.test(text) ? text : undefined;
}

export function onToolEnded(draft: Draft, input: Extract<CallInput, { type: 'tool_ended' }>): void {
  const tool = draft.state.tools.find(({ call }) => call.id === input.toolCallId);
  if (tool === undefined) return;
  const { outcome, result } = input;
  endTool(draft, input.toolCallId, { outcome, result });
  if (outcome === 'transferred') finish(draft, 'transferred', false);
}

/** A tool without a reported end is treated as failed. */
export function onToolDeadline(draft: Draft): void {
  const { tools } = draft.state;
  for (const { call } of tools.filter(({ since }) => draft.now >= since + longestWaits.tool)) {
    draft.effects.push({ type: 'cancel_tool', toolCallId: call.id });
    endTool(draft, call.id, { outcome: 'timed_out', result: 'The tool did not answer in time.' });
  }
}

function endTool(draft: Draft, toolCallId: string, result: Result): void {
  const { state } = draft;
  const tool = state.tools.find(({ call }) => call.id === toolCallId);
  if (tool === undefined) return;
  writeToolCall(draft, tool, result);
  state.tools = state.tools.filter((other) => other !== tool);
  patchReply(draft, { followUp: true });
  boundTools(draft);
  if (isTransfer(tool)) awaitSpeech(draft);
  if (state.tools.length === 0) stopFeedback(draft);
}

function boundTools(draft: Draft): void {
  const [oldest] = draft.state.tools;
  setDeadline(draft, 'tool', oldest === undefined ? undefined : oldest.since + longestWaits.tool);
}
