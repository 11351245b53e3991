import type { CallPlan } from './plan';
import type { CallOutcome } from './effects';
import type { Evidence } from './state';

/** A shorter greeting is not evidence of a mailbox (docs/reference/tuning.md, AgentAnswerDetection). */
const greetingWords = 3;

/** How long music without speech may play before `end_call` ends the call; milliseconds. */
export const nonHumanMs = 8_000;

type Finding = Omit<CallOutcome, 'transcript'>;

export const notJudged: Finding = { classification: '', classificationDetail: '', mailboxProof: null };

const found = (classification: string, classificationDetail: string): Finding => ({
  classification,
  classificationDetail,
  mailboxProof: null,
});

/**
 * Who answered: `voicemail` on a record beep after a greeting of three recognised words or on the instruction of a mailbox, `human` on any other speech
 * (a call that the platform is unsure about is treated as a person), `music` without any speech, else `unknown`. Where mailboxes are not judged, what would
 * prove one makes a call `unknown`, not `human`. Empty where both modes are off.
 */
export function classificationOf(plan: Pick<CallPlan, 'nonHumanAudio' | 'voicemail'>, evidence: Evidence): Finding {
  if (plan.nonHumanAudio === 'off' && plan.voicemail === 'off') return notJudged;
  const mailbox = mailboxIn(evidence);
  if (mailbox !== null) return plan.voicemail === 'off' ? found('unknown', 'voicemail_not_judged') : mailbox;
  if (evidence.speech) return found('human', 'speech');
  if (evidence.music && plan.nonHumanAudio !== 'off') return found('music', 'music_without_speech');
  return found('unknown', 'nothing_heard');
}

export function mailboxIn({ wordsBeforeTone, instruction }: Evidence): Finding | null {
  if (wordsBeforeTone !== null && wordsBeforeTone >= greetingWords)
    return { ...found('voicemail', 'record_beep_after_greeting'), mailboxProof: 'beep' };
  return instruction ? { ...found('voicemail', 'mailbox_instruction'), mailboxProof: 'mailbox_instruction' } : null;
}
