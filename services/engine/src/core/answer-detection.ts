import type { CallPlan } from './plan';
import type { CallOutcome } from './effects';
import { isMachineTalk } from './languages/index';
import type { CallState, Evidence } from './state';

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
 * Classifies who answered the call. `voicemail`: a record beep after a greeting of at least three recognized words, or the spoken instruction of a mailbox.
 * `human`: any other speech, so that an uncertain call is treated as a person. `music`: music without speech. Otherwise `unknown`. If voicemail detection is
 * off, evidence of a mailbox results in `unknown`, not in `human`. The result is empty if both modes are off.
 */
export function classificationOf(plan: Pick<CallPlan, 'nonHumanAudio' | 'voicemail'>, evidence: Evidence): Finding {
  if (plan.nonHumanAudio === 'off' && plan.voicemail === 'off') return notJudged;
  const mailbox = mailboxIn(evidence);
  if (mailbox !== null) return plan.voicemail === 'off' ? found('unknown', 'voicemail_not_judged') : mailbox;
  if (evidence.speech && evidence.person !== false) return found('human', 'speech');
  if (evidence.speech) return found('unknown', 'announcements_only');
  if (evidence.music && plan.nonHumanAudio !== 'off') return found('music', 'music_without_speech');
  return found('unknown', 'nothing_heard');
}

/** Whether the other party has answered the agent: words or keys, begun after words of the agent, that are no announcement. */
export function hasDialogue({
  transcript,
  utterance,
  language,
}: Pick<CallState, 'transcript' | 'utterance' | 'language'>): boolean {
  const spoken = transcript.find(
    ({ speaker, text, turn_id: id }) => speaker === 'agent' && text !== '' && id !== utterance?.turnId,
  );
  return (
    spoken !== undefined &&
    transcript.some(
      ({ speaker, text, started_ms: at }) =>
        speaker === 'caller' && at >= spoken.ended_ms && !isMachineTalk(text, language),
    )
  );
}

export function mailboxIn({ wordsBeforeTone, instruction }: Evidence): Finding | null {
  if (wordsBeforeTone !== null && wordsBeforeTone >= greetingWords)
    return { ...found('voicemail', 'record_beep_after_greeting'), mailboxProof: 'beep' };
  return instruction ? { ...found('voicemail', 'mailbox_instruction'), mailboxProof: 'mailbox_instruction' } : null;
}
