import { AgentAnswerDetection } from '../objects/answer-detection';
import type { AnswerDetectionEvidence } from '../objects/call-evidence';
import { defaultOf } from '../rules/resolved';

export type AnswerDetectionModes = Pick<AnswerDetectionEvidence, 'non_human_audio'> & {
  readonly voicemail: {
    readonly chosen: AnswerDetectionEvidence['voicemail']['chosen'];
    readonly effective: 'shadow' | 'off';
  };
};

/** The stored and the effective modes of answer detection. They differ for hang_up and leave_message, which currently run only in shadow mode. */
export function answerDetectionModes(stored: AgentAnswerDetection): AnswerDetectionModes {
  const nonHumanAudio = stored.non_human_audio ?? defaultOf(AgentAnswerDetection, 'non_human_audio');
  const voicemail = stored.voicemail ?? defaultOf(AgentAnswerDetection, 'voicemail');
  return {
    non_human_audio: { chosen: nonHumanAudio, effective: nonHumanAudio },
    voicemail: { chosen: voicemail, effective: voicemail === 'off' ? 'off' : 'shadow' },
  };
}
