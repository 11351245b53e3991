import { patchCaller, patchReply, setDeadline, sinceAnswer, type Draft } from './draft';
import { pauseRecording } from './keys';
import { isNavigating } from './navigation';
import { oweReply } from './owed-reply';
import { say, think } from './reply';
import { sayFarewell } from './settle';
import type { CallSnapshot, ResumedCall } from './state';
import type { ConversationTurn, TurnToolCall } from './transcript';
import { awaitSpeech, onTransferring } from './transfer';
import { open } from './turn-end';
import { addTurn, changeTurn } from './utterance';
import { longestWaits } from './waits';

/** The tool result for the model if no process observed the end of the tool. */
const unknownResult =
  'The connection was lost while this ran: it is not known whether it was done. It is not run again by itself; ask the caller.';

/** The transcriber in this process numbers its segments from 1. */
const resumedSegment = 0;

/** The line is connected again. The call resumes without a greeting, and nothing that was heard is repeated. */
export function goOn(draft: Draft, resumed: ResumedCall): void {
  const { state } = draft;
  const { transcript } = resumed;
  const snapshot = resumed.snapshot ?? fromTranscript(transcript, state.language);
  state.transcript = transcript;
  restore(draft, snapshot, resumed.attemptsFrom);
  const { cut } = snapshot;
  if (cut !== null) cutTurn(draft, cut);
  const unknown = writeBegunTools(draft, snapshot, resumed);
  if ((!state.opened || !state.announced) && !isNavigating(draft)) return openAgain(draft);
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
  // Its times are on the clock of the previous process; a proof stands from now on.
  const { machine } = snapshot.evidence;
  state.evidence = { ...snapshot.evidence, machine: machine && { ...machine, at: now } };
  state.unknownTools = snapshot.unknownTools;
  state.voicemail = snapshot.voicemail ?? null;
  if (state.voicemail !== null) setDeadline(draft, 'beep', now + longestWaits.beep);
  state.refused = snapshot.refused;
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
  state.held = snapshot.held === true ? state.plan.noCallerSpeechMs : null;
  // Silence on the line during the hand-over is not the caller's silence.
  awaitSpeech(draft);
  onTransferring(draft, snapshot.transferMs ?? 0);
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

/** Adds tools that are not in the transcript yet, with the outcome that the platform knows. @returns whether there were any */
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

/** Opens the call if the previous process was lost before the agent did. */
function openAgain(draft: Draft): void {
  const { plan } = draft.state;
  if (plan.firstSpeaker === 'agent') open(draft);
  else setDeadline(draft, 'opening', draft.now + plan.silenceWaitMs);
}

/** Takes the recognized text of a turn that the caller had not ended; the turn ends with the next silence. @returns whether there is any */
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

/** The part of the snapshot that can be derived from the transcript alone. */
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
      machine: null,
      withdrawnBy: null,
    },
    navigation: { at: 'nowhere', menuMs: 0, holdMs: 0 },
    feedback: { given: 0, unrecognised: 0, apologies: 0, farewell: false },
    refused: [],
    owed: last !== undefined && (last.speaker === 'caller' || last.tool_calls !== undefined),
    cut: null,
    rest: '',
    endsCall: false,
    tools: [],
    unknownTools: [],
    said: '',
  };
}
