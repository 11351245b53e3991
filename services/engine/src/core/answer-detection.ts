import { patchCaller, setDeadline, sinceAnswer, type Draft } from './draft';
import { callMachineIn, isMachineTalk, isMailboxInstruction } from './languages/index';
import type { CallOutcome } from './effects';
import type { CallInput } from './inputs';
import type { CallPlan } from './plan';
import type { CallState, Evidence, MachineKind } from './state';
import type { ConversationTurn } from './transcript';
import { longestWaits } from './waits';
import { textOf, wordsOf } from './words';

/** A shorter greeting is not evidence of a mailbox (docs/reference/tuning.md, AgentAnswerDetection). */
const greetingWords = 3;

/** How long music without speech may play before `end_call` ends the call; milliseconds. */
export const nonHumanMs = 8_000;
/** The longest time from the last voice of a greeting to the end of the beep, which itself lasts up to 3.5 s. */
const beepWindowMs = 8_000;
/** A mailbox is silent for so long after its beep. */
const silenceAfterMs = 3_000;

type Finding = Omit<CallOutcome, 'transcript'>;

export const notJudged: Finding = {
  classification: '',
  classificationDetail: '',
  mailboxProof: null,
  proofWithdrawnBy: null,
};

const found = (classification: string, classificationDetail: string): Finding => ({
  ...notJudged,
  classification,
  classificationDetail,
});

const details: Readonly<Record<MachineKind, readonly [string, string]>> = {
  beep: ['voicemail', 'record_beep_after_greeting'],
  mailbox_instruction: ['voicemail', 'mailbox_instruction'],
  call_screening: ['call_screening', 'screening_phrase'],
  not_in_service: ['not_in_service', 'announcement'],
  fax: ['fax', 'fax_tone'],
};

/**
 * Classifies who answered the call. `voicemail`, `call_screening`, `not_in_service` and `fax` need evidence that no later turn has withdrawn. `human`: any other
 * speech, so that an uncertain call is treated as a person. `music`: music without speech. Otherwise `unknown`. If voicemail detection is off, evidence of a
 * mailbox results in `unknown`, not in `human`. The result is empty if both modes are off.
 */
export function classificationOf(plan: Pick<CallPlan, 'nonHumanAudio' | 'voicemail'>, evidence: Evidence): Finding {
  if (plan.nonHumanAudio === 'off' && plan.voicemail === 'off') return notJudged;
  const { machine, withdrawnBy } = evidence;
  const proof = machine?.kind === 'beep' || machine?.kind === 'mailbox_instruction' ? machine.kind : null;
  const proven = plan.voicemail === 'off' ? {} : { mailboxProof: proof, proofWithdrawnBy: proof && withdrawnBy };
  if (machine !== null && withdrawnBy === null)
    return proof !== null && plan.voicemail === 'off'
      ? found('unknown', 'voicemail_not_judged')
      : { ...found(...details[machine.kind]), ...proven };
  if (evidence.speech && evidence.person !== false) return { ...found('human', 'speech'), ...proven };
  if (evidence.speech) return found('unknown', 'announcements_only');
  if (evidence.music && plan.nonHumanAudio !== 'off') return found('music', 'music_without_speech');
  return found('unknown', 'nothing_heard');
}

export const isMailbox = ({ machine, withdrawnBy }: Evidence): boolean =>
  withdrawnBy === null && (machine?.kind === 'beep' || machine?.kind === 'mailbox_instruction');

type Heard = Pick<CallState, 'transcript' | 'utterance' | 'language'>;

/** Whether a turn of the other party begins after words of the agent, and is no announcement. */
function answersAgent({ transcript, utterance, language }: Heard, turn: ConversationTurn): boolean {
  if (turn.speaker !== 'caller' || isMachineTalk(turn.text, language)) return false;
  return transcript.some(
    ({ speaker, text, turn_id: id, ended_ms: end }) =>
      speaker === 'agent' && text !== '' && id !== utterance?.turnId && turn.started_ms >= end,
  );
}

/** Whether the other party has answered the agent, by words or keys. */
export const hasDialogue = (state: Heard): boolean => state.transcript.some((turn) => answersAgent(state, turn));

const weight: Readonly<Record<MachineKind, number>> = {
  not_in_service: 0,
  call_screening: 1,
  fax: 1,
  beep: 3,
  mailbox_instruction: 2,
};

/** Evidence of a mailbox replaces that of an announcement; the first of equal weight stays. After a dialogue there is none. */
function prove(draft: Draft, kind: MachineKind): void {
  const { state, now } = draft;
  const { evidence, caller } = state;
  const current = textOf(caller);
  const at = sinceAnswer(draft, caller.turnSince ?? now);
  const underWay = { turn_id: '', speaker: 'caller', text: current, started_ms: at, ended_ms: at } as const;
  if (hasDialogue(state) || (current !== '' && answersAgent(state, underWay))) return;
  if (evidence.machine !== null && weight[kind] <= weight[evidence.machine.kind]) return;
  state.evidence = { ...evidence, machine: { kind, at: now }, withdrawnBy: null };
}

/** A tone is evidence of a mailbox if it follows its greeting, whose final transcript may still be pending, and if nothing asked for a name before. */
export function onBeep(draft: Draft): void {
  const { state, now } = draft;
  const { evidence, caller } = state;
  if (state.voicemail !== null) setDeadline(draft, 'beep', now);
  const silentMs = caller.speakingSince === null ? now - caller.lastVoice : 0;
  if (evidence.machine?.kind === 'call_screening' || silentMs > beepWindowMs) return;
  const underWay = caller.segments.filter(({ final }) => !final).map(({ text }) => text);
  if (evidence.words + wordsOf(underWay.join(' ')) >= greetingWords) prove(draft, 'beep');
  else patchCaller(draft, { beepAt: now });
}

/** Tones of the network: a beep that turned out to be one of them proves nothing. */
export function onTone(draft: Draft, { tone }: Extract<CallInput, { type: 'tone' }>): void {
  const { evidence } = draft.state;
  if (evidence.machine?.kind === 'beep') draft.state.evidence = { ...evidence, machine: null, withdrawnBy: null };
  if (tone !== 'call_progress') prove(draft, tone);
}

/** The final words of a segment, after which the caller's turn has the text `heard`. */
export function hearWords(draft: Draft, words: string, heard: string): void {
  const { state, now } = draft;
  state.evidence = { ...state.evidence, words: state.evidence.words + wordsOf(words) };
  if (isMailboxInstruction(heard, state.language)) prove(draft, 'mailbox_instruction');
  const machine = callMachineIn(heard, state.language);
  if (machine !== undefined) prove(draft, machine);
  const { beepAt, turnSince } = state.caller;
  const mayPrecedeBeep = beepAt !== null && now - beepAt <= longestWaits.transcript && (turnSince ?? now) < beepAt;
  if (mayPrecedeBeep && state.evidence.words >= greetingWords) prove(draft, 'beep');
}

/** Speech that answers the agent, or follows a beep at once, is a person's. */
export function reconsider(draft: Draft, turn: ConversationTurn): void {
  const { state } = draft;
  const { machine, withdrawnBy } = state.evidence;
  if (machine === null || withdrawnBy !== null || turn.text === '') return;
  const provenMs = machine.at - (state.answeredAt ?? machine.at);
  const afterMs = turn.started_ms - provenMs;
  if (afterMs < 0 || isMachineTalk(turn.text, state.language)) return;
  if (answersAgent(state, turn) || (machine.kind === 'beep' && afterMs < silenceAfterMs))
    state.evidence = { ...state.evidence, withdrawnBy: turn.turn_id };
}
