import { patchCaller, patchReply, setDeadline, sinceAnswer, type Draft } from './draft';
import { pauseRecording } from './keys';
import { oweReply } from './owed-reply';
import { say, think } from './reply';
import { sayFarewell } from './settle';
import type { CallSnapshot } from './snapshot';
import type { ConversationTurn, TurnToolCall } from './transcript';
import { open } from './turn-end';
import { addTurn, changeTurn } from './utterance';

/** A tool that the previous process started. */
export interface BegunTool {
  readonly id: string;
  readonly name: string;
  /** Undefined: it may have run. */
  readonly ended: Pick<TurnToolCall, 'outcome' | 'result'> | undefined;
}

/** The state of a call when its previous process was lost or released it. */
export interface ResumedCall {
  /** Time from the answer to the adoption. */
  readonly elapsedMs: number;
  readonly transcript: readonly ConversationTurn[];
  /** Undefined: this release cannot read it. */
  readonly snapshot: CallSnapshot | undefined;
  readonly begunTools: readonly BegunTool[];
  /** Model attempts are numbered from here on: tool call ids contain attempt numbers, and an id runs once per call. */
  readonly attemptsFrom: number;
}

/** The tool result given to the model if no process observed its end. */
const unknownResult =
  'The connection was lost while this ran: it is not known whether it was done. It is not run again by itself; ask the caller.';

/** This process numbers segments from 1. */
const resumedSegment = 0;

/** The line is connected again: the call resumes without a greeting and without repeating what was heard. */
export function goOn(draft: Draft, resumed: ResumedCall): void {
  const { state } = draft;
  const { transcript } = resumed;
  const snapshot = resumed.snapshot ?? fromTranscript(transcript, state.language);
  state.transcript = transcript;
  restore(draft, snapshot, resumed.attemptsFrom);
  const { cut } = snapshot;
  if (cut !== null) cutTurn(draft, cut);
  const unknown = writeBegunTools(draft, snapshot, resumed);
  if (!state.opened || !state.announced) return openAgain(draft);
  const waits = takeWordsUnderWay(draft, snapshot.said);
  if (snapshot.rest !== '') {
    say(draft, snapshot.rest, snapshot.endsCall);
    return patchReply(draft, { followUp: snapshot.owed && !snapshot.endsCall });
  }
  if (snapshot.endsCall || state.ending !== null) return sayFarewell(draft);
  if (!snapshot.owed && !unknown) return;
  if (waits) oweReply(draft, true);
  else think(draft);
}

function restore(draft: Draft, snapshot: CallSnapshot, attemptsFrom: number): void {
  const { state, now, effects } = draft;
  const { counts, feedback, navigation } = snapshot;
  state.opened = snapshot.opened;
  if (snapshot.announced) {
    state.announced = true;
    pauseRecording(draft, 'announcement', false);
  }
  state.toSay = snapshot.toSay;
  state.ending = snapshot.ending;
  state.toolRounds = snapshot.toolRounds;
  state.evidence = snapshot.evidence;
  state.unknownTools = snapshot.unknownTools;
  state.feedback = { ...feedback, playing: false };
  state.counts = { ...counts, attempts: Math.max(counts.attempts, attemptsFrom) };
  if (snapshot.language !== state.language) {
    state.language = snapshot.language;
    effects.push({ type: 'set_language', language: snapshot.language });
  }
  if (snapshot.muted) {
    state.muted = true;
    effects.push({ type: 'set_muted', muted: true });
  }
  if (snapshot.recordingPaused) {
    pauseRecording(draft, 'control', true);
  }
  // Silence on the line during the hand-over is not silence of the caller.
  if (!state.evidence.speech) setDeadline(draft, 'no_speech', now + state.plan.noCallerSpeechMs);
  const limits = state.plan.conduct.navigation;
  if (limits === null) return;
  const { at, menuMs, holdMs } = navigation;
  state.navigation = { at, since: now, menuMs, holdMs };
  if (at === 'menu') setDeadline(draft, 'navigation_limit', now + limits.maxMenuMs - menuMs);
  if (at === 'hold') setDeadline(draft, 'hold_limit', now + limits.maxHoldMs - holdMs);
}

function cutTurn(draft: Draft, { turnId, heard }: NonNullable<CallSnapshot['cut']>): void {
  const turn = draft.state.transcript.find(({ turn_id }) => turn_id === turnId);
  if (turn === undefined) return;
  changeTurn(draft.state, turnId, { text: turn.text.slice(0, heard).trimEnd(), interrupted: true });
}

/** Tools that are not in the transcript yet, with the platform's knowledge of them. Returns whether there were any. */
function writeBegunTools(draft: Draft, { tools }: CallSnapshot, { begunTools }: ResumedCall): boolean {
  const { state } = draft;
  const written = new Set(
    state.transcript.flatMap(({ tool_calls: calls = [] }) => calls.map(({ tool_call_id: id }) => id)),
  );
  const missing = begunTools.filter(({ id }) => !written.has(id));
  for (const { id, name, ended } of missing) {
    const ran = tools.find(({ call }) => call.id === id);
    const entry: TurnToolCall = {
      tool_call_id: id,
      name,
      arguments: ran?.call.arguments ?? '{}',
      duration_ms: 0,
      ...(ended ?? { outcome: 'timed_out', result: unknownResult }),
    };
    if (ended === undefined) state.unknownTools = [...state.unknownTools, name];
    writeInto(draft, ran?.turnId ?? `turn_of_${id}`.slice(0, 64), entry);
  }
  return missing.length > 0;
}

function writeInto(draft: Draft, turnId: string, entry: TurnToolCall): void {
  const { state, now } = draft;
  const turn = state.transcript.find(({ turn_id }) => turn_id === turnId);
  if (turn !== undefined) return changeTurn(state, turnId, { tool_calls: [...(turn.tool_calls ?? []), entry] });
  const at = sinceAnswer(draft, now);
  addTurn(draft, { turn_id: turnId, speaker: 'agent', text: '', started_ms: at, ended_ms: at, tool_calls: [entry] });
}

/** The process was lost before the agent opened. */
function openAgain(draft: Draft): void {
  const { plan } = draft.state;
  if (plan.firstSpeaker === 'agent') open(draft);
  else setDeadline(draft, 'opening', draft.now + plan.silenceWaitMs);
}

/** The recognised text of a turn that the caller had not ended: it ends with the next silence. Returns whether there is any. */
function takeWordsUnderWay(draft: Draft, said: string): boolean {
  if (said === '') return false;
  const { state, now } = draft;
  patchCaller(draft, {
    turnSince: now,
    lastVoice: now,
    finalAt: now,
    segments: [{ segment: resumedSegment, text: said, final: true }],
  });
  setDeadline(draft, 'end_of_turn', now + state.plan.endOfTurn.withoutDetector);
  return true;
}

/** The part of the state that can be derived from the transcript alone. */
function fromTranscript(turns: readonly ConversationTurn[], language: string): CallSnapshot {
  const numbers = turns.map(({ turn_id: id }) => Number(/^turn_(\d+)$/.exec(id)?.[1] ?? 0));
  const last = turns.at(-1);
  return {
    form: 0,
    opened: turns.length > 0,
    announced: false,
    language: last?.language ?? language,
    muted: false,
    recordingPaused: false,
    ending: null,
    toSay: [],
    toolRounds: 0,
    counts: { attempts: 0, utterances: 0, turns: Math.max(0, ...numbers) },
    evidence: {
      speech: turns.some(({ speaker }) => speaker === 'caller'),
      music: false,
      words: 0,
      wordsBeforeTone: null,
      instruction: false,
    },
    navigation: { at: 'nowhere', menuMs: 0, holdMs: 0 },
    feedback: { given: 0, unrecognised: 0, farewell: false },
    owed: last !== undefined && (last.speaker === 'caller' || last.tool_calls !== undefined),
    cut: null,
    rest: '',
    endsCall: false,
    tools: [],
    unknownTools: [],
    said: '',
  };
}
