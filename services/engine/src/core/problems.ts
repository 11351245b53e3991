import type { CallProblem, RuntimeConfiguration } from '@parley/contract';

/** A problem, without the time at which it occurred. */
export type Shortfall = Omit<CallProblem, 'at'>;

const notApplied = (setting: string): Shortfall => ({
  code: 'setting_not_applied',
  detail: `this worker does not apply ${setting}`,
});

export const transcriptCut: Shortfall = {
  code: 'transcript_cut',
  detail: 'the transcript is too large: its end is omitted from the record',
};

/** The model replied with punctuation or emoji alone, which no voice can say. */
export const wordless: Shortfall = { code: 'empty_reply', detail: 'the model replied without words' };

/** The voice refused a text. */
export const notSpoken: Shortfall = {
  code: 'speech_skipped',
  detail: 'the provider of the voice refused a text, which was not said',
};

/** The provider of the model refused the conversation, which it did not before this turn. */
export const turnRefused: Shortfall = {
  code: 'turn_dropped',
  detail: 'the provider of the model refused the last turn, which is left out of later requests',
};

/** The platform would refuse a turn of the transcript. */
export const turnDropped: Shortfall = {
  code: 'turn_dropped',
  detail: 'a turn was not accepted and is missing in the transcript',
};

/** What a line lost without ending. */
export const lossOf = (code: 'audio_backlog' | 'marks_lost'): Shortfall => ({
  code,
  detail:
    code === 'audio_backlog'
      ? 'audio of the other party arrived late and at once: its oldest part was dropped'
      : 'the line does not report what it has played: playback goes on by the clock',
});

/** The organization requires a recording announcement, but none can be played in this call. */
export const notAnnounced: Shortfall = {
  code: 'recording_not_announced',
  detail:
    'recordings must be announced, but there is no announcement in the language of the call or no voice for it: nothing was recorded',
};

/**
 * Returns the configured features that this worker does not apply in the call.
 * @param detectsLanguage whether the transcriber of the call reports the language of recognized speech
 * @param hasSound whether the line carries audio, so that background sound can be heard
 */
export function shortfallsOf(
  configuration: Partial<RuntimeConfiguration>,
  detectsLanguage: boolean,
  hasSound = false,
): Shortfall[] {
  const { publication, effective } = configuration;
  const found: Shortfall[] = [];
  if (publication?.follow_caller?.enabled === true && !detectsLanguage) found.push(notApplied('follow_caller'));
  if (!hasSound && (effective?.audio_environment?.preset ?? 'none') !== 'none')
    found.push(notApplied('audio_environment'));
  return found;
}
