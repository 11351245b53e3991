import type { CallPlan } from './call-plan';
import type { Evidence } from './call-state';

/** A greeting shorter than this proves no mailbox (section 2.6, AgentAnswerDetection). */
const greetingWords = 3;

/** How long music alone may play before `end_call` ends the call; milliseconds. */
export const nonHumanMs = 8_000;

/**
 * Who answered: `voicemail` on a record beep after a greeting of three recognised words, `human` on any other speech (a
 * call that the platform is unsure about is treated as a person), `music` without any speech, else `unknown`. Empty
 * where both modes are off. The detail shows which voicemail mode was chosen and which one ran.
 */
export function classificationOf(
  plan: Pick<CallPlan, 'nonHumanAudio' | 'voicemail' | 'voicemailChosen'>,
  evidence: Evidence,
): { classification: string; classificationDetail: string } {
  const found = judged(plan, evidence);
  if (found.classification === '' || plan.voicemail === 'off') return found;
  const modes = `voicemail chosen ${plan.voicemailChosen}, effective ${plan.voicemail}`;
  return { ...found, classificationDetail: `${found.classificationDetail}; ${modes}` };
}

function judged(
  plan: Pick<CallPlan, 'nonHumanAudio' | 'voicemail'>,
  evidence: Evidence,
): { classification: string; classificationDetail: string } {
  if (plan.nonHumanAudio === 'off' && plan.voicemail === 'off') return { classification: '', classificationDetail: '' };
  const mailbox = evidence.wordsBeforeTone !== null && evidence.wordsBeforeTone >= greetingWords;
  if (mailbox && plan.voicemail !== 'off') {
    return { classification: 'voicemail', classificationDetail: 'record_beep_after_greeting' };
  }
  if (evidence.speech) return { classification: 'human', classificationDetail: 'speech' };
  if (evidence.music && plan.nonHumanAudio !== 'off') {
    return { classification: 'music', classificationDetail: 'music_without_speech' };
  }
  return { classification: 'unknown', classificationDetail: 'nothing_heard' };
}
