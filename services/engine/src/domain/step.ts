import { nonHumanMs } from './answer-detection';
import { onReplied, onReplyFailed, onSpoken, onVoiced, open } from './agent-turns';
import type { CallPlan } from './call-plan';
import { deadlineNames, type CallInput, type CallState, type DeadlineName, type Step } from './call-state';
import {
  onEndOfTurn,
  onInterruption,
  onSpeechEnded,
  onSpeechStarted,
  onTone,
  onTranscribed,
  onTranscriptLost,
  onTranscriptWait,
} from './caller-turns';
import {
  feedbackAtStart,
  hush,
  keepReplyClock,
  nothingOwed,
  onAcknowledgement,
  onToolEnded,
  onToolStarted,
  onToolWait,
} from './feedback';
import { isNavigating, moveTo, navigationAtStart, onNavigationLimit } from './navigation';
import { end, fail, patch, patchEvidence, setDeadline, type Draft } from './draft';
import { longestWaits } from './waits';

/** A call begins by asking for the permit to dial: the carrier is not called before that is acknowledged. */
export function startCall(plan: CallPlan): Step {
  const state: CallState = {
    plan,
    phase: 'asking',
    answeredAt: null,
    canceled: false,
    opened: false,
    agent: { doing: 'nothing', turn: 0, endsCall: false, cut: false },
    caller: {
      speakingSince: null,
      turnSince: null,
      silentSince: 0,
      untranscribed: 0,
      lost: false,
      texts: [],
      turnDue: false,
      interruptionDue: false,
    },
    deadlines: {},
    evidence: { speech: false, music: false, words: 0, wordsBeforeTone: null, instruction: false },
    navigation: navigationAtStart,
    feedback: feedbackAtStart,
    reply: nothingOwed,
    transcript: [],
  };
  return { state, actions: [{ type: 'report', event: { type: 'dialing' } }] };
}

/** The next moment at which `step` wants a `tick`; undefined while nothing is awaited. */
export function nextDeadline(state: CallState): number | undefined {
  return earliest(state)?.at;
}

/**
 * The whole conversation: one state, one input, one moment in; the next state and what is to be done out. Pure. Deadlines
 * that have passed are met first, each at its own moment, so that a late input or tick changes nothing in what they mean.
 */
export function step(state: CallState, input: CallInput, now: number): Step {
  const draft: Draft = { state, actions: [] };
  for (let due = earliest(draft.state); due !== undefined && due.at <= now; due = earliest(draft.state)) {
    setDeadline(draft, due.name, undefined);
    meet(draft, due.name, due.at);
    keepReplyClock(draft, due.at);
  }
  if (draft.state.phase !== 'over') apply(draft, input, now);
  if (draft.state.phase !== 'over') keepReplyClock(draft, now);
  return { state: draft.state, actions: draft.actions };
}

function earliest(state: CallState): { name: DeadlineName; at: number } | undefined {
  let found: { name: DeadlineName; at: number } | undefined;
  for (const name of deadlineNames) {
    const at = state.deadlines[name];
    if (at !== undefined && (found === undefined || at < found.at)) found = { name, at };
  }
  return found;
}

function meet(draft: Draft, name: DeadlineName, at: number): void {
  switch (name) {
    case 'max_call':
      return end(draft, at, 'max_call_duration_reached', true);
    case 'ringing':
      return fail(draft, 'no_answer', true);
    case 'media':
      return end(draft, at, 'carrier_failure', true);
    case 'no_speech':
      return end(draft, at, 'no_caller_speech_after_answer', true);
    case 'non_human':
      return end(draft, at, 'no_human_after_answer', true);
    case 'navigation_limit':
    case 'hold_limit':
      return onNavigationLimit(draft, at, name);
    case 'model_unresponsive':
    case 'reply':
    case 'voice':
      return end(draft, at, 'agent_unresponsive', true, 'model_unresponsive');
    case 'tool':
      return onToolEnded(draft, at);
    case 'playout':
      // The mark of its end was lost.
      return onSpoken(draft, draft.state.agent.turn, at);
    case 'speech':
      // The report of its end was lost.
      return onSpeechEnded(draft, at);
    case 'transcript_wait':
      return onTranscriptWait(draft, at);
    case 'acknowledgement':
      return onAcknowledgement(draft);
    case 'tool_wait':
      return onToolWait(draft, at);
    case 'tool_sound':
      return hush(draft);
    case 'interruption':
      return onInterruption(draft, at);
    case 'end_of_turn':
      return onEndOfTurn(draft, at);
    case 'opening':
      return open(draft, at);
  }
}

function apply(draft: Draft, input: CallInput, now: number): void {
  switch (input.type) {
    case 'permitted':
    case 'refused':
      return onPermit(draft, input.type === 'permitted', now);
    case 'answered':
      return onAnswered(draft, now);
    case 'media_started':
      return onMediaStarted(draft, now);
    case 'failed':
      return draft.state.answeredAt === null ? fail(draft, input.reason, false) : end(draft, now, input.reason, false);
    case 'caller_hung_up':
      return draft.state.answeredAt === null
        ? fail(draft, 'no_answer', false)
        : end(draft, now, 'callee_hung_up', false);
    case 'cancel_requested':
      return onCancelRequested(draft, now);
    case 'lease_lost':
      return onLeaseLost(draft);
    case 'tick':
      return;
    default:
      if (draft.state.phase === 'talking') converse(draft, input, now);
  }
}

type Talk = Exclude<
  CallInput,
  | { type: 'permitted' | 'refused' | 'answered' | 'media_started' }
  | { type: 'failed' | 'caller_hung_up' | 'cancel_requested' | 'lease_lost' | 'tick' }
>;

function converse(draft: Draft, input: Talk, now: number): void {
  switch (input.type) {
    case 'speech_started':
      return onSpeechStarted(draft, now);
    case 'speech_ended':
      return onSpeechEnded(draft, now);
    case 'transcribed':
      return onTranscribed(draft, input.text, now);
    case 'transcript_lost':
      return onTranscriptLost(draft, now);
    case 'tone':
      return onTone(draft);
    case 'music_started':
      return onMusicStarted(draft, now);
    case 'music_ended':
      return setDeadline(draft, 'non_human', undefined);
    case 'tool_started':
      return isThinking(draft, input.turn) ? onToolStarted(draft, input.tool, now) : undefined;
    case 'tool_ended':
      return isThinking(draft, input.turn) ? onToolEnded(draft, now) : undefined;
    case 'replied':
      return onReplied(draft, input, now);
    case 'reply_failed':
      return onReplyFailed(draft, input.turn, now);
    case 'voiced':
      return onVoiced(draft, input, now);
    case 'spoken':
      return onSpoken(draft, input.turn, now);
  }
}

const isThinking = ({ state }: Draft, turn: number): boolean =>
  state.agent.doing === 'thinking' && state.agent.turn === turn;

function onPermit(draft: Draft, permitted: boolean, now: number): void {
  if (draft.state.phase !== 'asking') return;
  if (!permitted) {
    patch(draft, { phase: 'over' });
    draft.actions.push({ type: 'drop' });
  } else if (draft.state.canceled) {
    fail(draft, 'canceled', false);
  } else {
    patch(draft, { phase: 'ringing' });
    setDeadline(draft, 'ringing', now + longestWaits.ringing);
    draft.actions.push({ type: 'dial' });
  }
}

function onAnswered(draft: Draft, now: number): void {
  if (draft.state.phase !== 'ringing') return;
  const { plan } = draft.state;
  patch(draft, { phase: 'answered', answeredAt: now });
  setDeadline(draft, 'ringing', undefined);
  setDeadline(draft, 'media', now + longestWaits.media);
  setDeadline(draft, 'max_call', now + plan.maxCallMs);
  setDeadline(draft, 'no_speech', now + plan.noCallerSpeechMs);
  draft.actions.push({ type: 'report', event: { type: 'answered' } });
}

/** From here on there is something to hear: the opening policy begins. */
function onMediaStarted(draft: Draft, now: number): void {
  if (draft.state.phase !== 'answered') return;
  patch(draft, { phase: 'talking' });
  setDeadline(draft, 'media', undefined);
  draft.actions.push({ type: 'report', event: { type: 'media_started' } });
  if (draft.state.plan.firstSpeaker === 'agent') open(draft, now);
  else setDeadline(draft, 'opening', now + draft.state.plan.silenceWaitMs);
}

function onMusicStarted(draft: Draft, now: number): void {
  const { plan, evidence } = draft.state;
  patchEvidence(draft, { music: true });
  // Music after a menu is a queue; music out of nowhere is not.
  if (isNavigating(draft)) return moveTo(draft, 'hold', now);
  if (plan.nonHumanAudio === 'end_call' && !evidence.speech) setDeadline(draft, 'non_human', now + nonHumanMs);
}

function onCancelRequested(draft: Draft, now: number): void {
  if (draft.state.phase === 'asking') patch(draft, { canceled: true });
  else if (draft.state.answeredAt === null) fail(draft, 'canceled', true);
  else end(draft, now, 'canceled', true);
}

/** Someone else decides about this call now; the line is let go and nothing more is written. */
function onLeaseLost(draft: Draft): void {
  const dialled = draft.state.phase !== 'asking';
  patch(draft, { phase: 'over', deadlines: {} });
  if (dialled) draft.actions.push({ type: 'hang_up' });
  draft.actions.push({ type: 'drop' });
}
