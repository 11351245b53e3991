import { answerDetectionModes, type AnswerDetectionModes, type CallTuning, type MailboxProof } from '@parley/contract';
import { invalidField } from '@parley/errors';
import type { Call } from './call.rules';

/** The worker's detection result: who or what answered the call. */
export interface Finding {
  /** Empty: not classified. */
  readonly classification: string;
  readonly classificationDetail: string;
  readonly mailboxProof: MailboxProof | null;
  /** The turn after which the proof does not count; null: it counts. */
  readonly proofWithdrawnBy: string | null;
}

const nothing = { mailboxProof: null, proofWithdrawnBy: null } as const;

/** JSON: the answer detection settings for a call that is dialed now. */
export function modesAtDialing({ tuning }: Pick<Call, 'tuning'>): string {
  const { answer_detection: stored = {} } = JSON.parse(tuning) as Partial<CallTuning>;
  return JSON.stringify(answerDetectionModes(stored ?? {}));
}

export function modesOf({ answerDetection }: Pick<Call, 'answerDetection'>): AnswerDetectionModes | undefined {
  return answerDetection === null ? undefined : (JSON.parse(answerDetection) as AnswerDetectionModes);
}

/** Whether answer detection is completely off, so that a call has no classification. */
const isOff = ({ non_human_audio: audio, voicemail }: AnswerDetectionModes): boolean =>
  audio.effective === 'off' && voicemail.effective === 'off';

/** The call fields that a finding sets. @throws AppError BadRequestError for a finding that the call's settings rule out */
export function withFinding(
  call: Call,
  finding: Finding,
): Pick<Call, 'classification' | 'classificationDetail' | 'mailboxProof' | 'proofWithdrawnBy'> {
  const { classification, classificationDetail, mailboxProof, proofWithdrawnBy } = finding;
  const modes = modesOf(call);
  if (proofWithdrawnBy !== null && (mailboxProof === null || classification === 'voicemail'))
    throw invalidField(
      'proof_withdrawn_by',
      'conflict_with',
      'needs mailbox_proof and another classification than voicemail',
    );
  if (mailboxProof !== null && proofWithdrawnBy === null && classification !== 'voicemail')
    throw invalidField('mailbox_proof', 'conflict_with', 'is allowed only with the classification voicemail');
  if (classification === '') return { classification: null, classificationDetail: null, ...nothing };
  if (modes !== undefined && isOff(modes))
    throw invalidField('classification', 'not_allowed', 'is not determined: the agent switched answer detection off');
  if (modes?.voicemail.effective === 'off' && classification === 'voicemail')
    throw invalidField('classification', 'not_allowed', 'is not voicemail: the agent switched that detection off');
  return {
    classification,
    classificationDetail: classificationDetail === '' ? null : classificationDetail,
    mailboxProof,
    proofWithdrawnBy,
  };
}

/** Reduces a generated finding to what answer detection with the call's settings would report. */
export function asDetected(call: Call, finding: Finding): Finding {
  const modes = modesOf(call);
  if (modes === undefined) return finding;
  if (isOff(modes)) return { classification: '', classificationDetail: '', ...nothing };
  const { classification } = finding;
  const unseen =
    (classification === 'voicemail' && modes.voicemail.effective === 'off') ||
    (classification === 'music' && modes.non_human_audio.effective === 'off');
  return unseen ? { classification: 'unknown', classificationDetail: 'not_judged', ...nothing } : finding;
}

/** Sets `unknown` for an answered call that its worker never classified (or was lost before it could), unless answer detection is off. */
export function undetermined(call: Call): Partial<Call> {
  const modes = modesOf(call);
  if (call.classification !== null || call.answeredAt === null || modes === undefined || isOff(modes)) return {};
  return { classification: 'unknown', classificationDetail: 'not_judged' };
}
