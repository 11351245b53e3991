import { setDeadline, type Draft } from './draft';
import { finish } from './end';
import { stopFeedback } from './feedback';
import { handOverWhenFree } from './hand-over';
import { pauseRecording } from './keys';
import { keepReplyClock, oweReply } from './owed-reply';
import { say, think } from './reply';
import { callTools } from './tools';
import { open } from './turn-end';
import { speakMore } from './utterance';

/** Called after every input: performs all actions that have become possible. */
export function settle(draft: Draft): void {
  const { state } = draft;
  // Each pass performs one action, and no action reverts another.
  for (let passes = 0; passes < 8 && state.phase === 'talking' && goOn(draft); passes += 1);
  if (state.phase !== 'over') keepReplyClock(draft);
  handOverWhenFree(draft);
}

/** @returns whether it performed an action, after which others may be possible */
function goOn(draft: Draft): boolean {
  const { state } = draft;
  const { reply } = state;
  if (reply === null) return sayForOperator(draft);
  if (reply.speculative || reply.suspended) {
    speakMore(draft);
    return false;
  }
  if (reply.complete && !reply.toolsCalled) {
    callTools(draft);
    return true;
  }
  speakMore(draft);
  const speaks = state.utterance !== null || state.deadlines.voice !== undefined;
  if (!reply.complete || speaks || state.tools.length > 0) return false;
  return conclude(draft);
}

/** All text of the reply was played, and its tools have ended. */
function conclude(draft: Draft): boolean {
  const { state } = draft;
  const { reply } = state;
  state.reply = null;
  if (reply === null) return false;
  if (reply.announces) {
    beginRecording(draft);
    return true;
  }
  if (reply.endsCall) {
    sayFarewell(draft);
    return true;
  }
  if (!reply.followUp && !reply.unanswered) {
    if (!state.owed.owed) stopFeedback(draft);
    return true;
  }
  // While the caller is speaking, the end of that turn requests the reply.
  if (state.caller.turnSince === null) think(draft);
  else oweReply(draft, true);
  return true;
}

/** The announcement was played: the recording starts, and the agent opens the call. */
function beginRecording(draft: Draft): void {
  draft.state.announced = true;
  pauseRecording(draft, 'announcement', false);
  open(draft);
}

/** Says the closing text once, if there is one; then the agent hangs up. */
export function sayFarewell(draft: Draft): void {
  const { state } = draft;
  const { endPhrase } = state.plan.conduct;
  if (endPhrase === '' || state.feedback.farewell) return finish(draft, state.ending ?? 'agent_hung_up', true);
  state.feedback = { ...state.feedback, farewell: true };
  say(draft, endPhrase, true);
}

/** Says a text that an operator has sent, as soon as the line is free. */
function sayForOperator(draft: Draft): boolean {
  const { state } = draft;
  const [text, ...others] = state.toSay;
  if (text === undefined || state.utterance !== null || state.caller.turnSince !== null || state.owed.owed)
    return false;
  state.toSay = others;
  state.opened = true;
  setDeadline(draft, 'opening', undefined);
  say(draft, text, false);
  return true;
}
