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
