import { isAudible } from './draft';
import type { CallSnapshot, CallState } from './state';
import { transferMs } from './transfer';
import { playedPart, textOf } from './words';

/** The format version of a snapshot. Increment it when its content or meaning changes. */
export const snapshotForm = 2;

/** Longer texts are truncated to this length. */
const mostChars = 8_000;

/** The snapshot of a state. Pure. */
export function snapshotOf(state: CallState): CallSnapshot {
  const { reply, utterance, feedback, navigation, caller, tools } = state;
  const { at, since, menuMs, holdMs } = navigation;
  const { given, unrecognised, apologies, farewell } = feedback;
  const under = state.now - since;
  const wanted = reply !== null && !reply.speculative ? reply : null;
  const audible = utterance !== null && isAudible(state);
  const played = audible ? playedPart(utterance.text, utterance.offset) : 0;
  const from = utterance === null ? (wanted?.spoken ?? 0) : utterance.from + played;
  const rest = wanted === null ? '' : wanted.text.slice(from).trim();
  const uncalled = wanted !== null && wanted.toolCalls.length > 0 && !wanted.toolsCalled;
  const unfinished = wanted !== null && ((!wanted.complete && rest === '' && !audible) || uncalled);
  return {
    form: snapshotForm,
    opened: state.opened,
    announced: state.announced,
    language: state.language,
    muted: state.muted,
    recordingPaused: state.recordingPauses.includes('control'),
    ending: state.ending,
    toSay: state.toSay.map((text) => text.slice(0, mostChars)),
    toolRounds: state.toolRounds,
    counts: state.counts,
    evidence: state.evidence,
    navigation: {
      at,
      menuMs: menuMs + (at === 'menu' ? under : 0),
      holdMs: holdMs + (at === 'hold' ? under : 0),
    },
    feedback: { given, unrecognised, apologies, farewell },
    refused: state.refused,
    owed: state.owed.owed || unfinished || tools.length > 0 || wanted?.followUp === true || wanted?.unanswered === true,
    cut: audible && played < utterance.text.length ? { turnId: utterance.turnId, heard: played } : null,
    rest: rest.slice(0, mostChars),
    endsCall: wanted?.endsCall === true,
    tools: tools.map(({ call, turnId }) => ({ call, turnId })),
    unknownTools: state.unknownTools,
    voicemail: state.voicemail,
    held: state.held !== null,
    transferMs: transferMs(state),
    said: textOf(caller).slice(-mostChars),
  };
}

/**
 * Whether a new snapshot is due immediately. Playback progress alone does not require one: the periodic snapshot contains it. Pure and cheap, because it runs
 * at each step.
 */
export const changesSnapshot = (before: CallState, after: CallState): boolean =>
  before.transcript !== after.transcript ||
  before.tools !== after.tools ||
  before.deadlines.transfer !== after.deadlines.transfer ||
  before.ending !== after.ending ||
  before.toSay !== after.toSay ||
  before.muted !== after.muted ||
  before.held !== after.held ||
  before.language !== after.language ||
  before.recordingPauses !== after.recordingPauses ||
  before.owed.owed !== after.owed.owed ||
  before.announced !== after.announced ||
  (before.utterance === null) !== (after.utterance === null) ||
  before.caller.finalAt !== after.caller.finalAt;

/** A snapshot that another process sent; undefined if this release cannot read its format. Pure. */
export function readSnapshot(value: unknown): CallSnapshot | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Partial<CallSnapshot>).form === snapshotForm ? (value as CallSnapshot) : undefined;
}
