import type { CallProblem, RuntimeConfiguration } from '@parley/contract';

/** A problem without its time. */
export type Shortfall = Omit<CallProblem, 'at'>;

const notApplied = (setting: string): Shortfall => ({
  code: 'setting_not_applied',
  detail: `this worker does not apply ${setting}`,
});

export const transcriptCut: Shortfall = {
  code: 'transcript_cut',
  detail: 'the transcript is too large: its end is left out of the record',
};

/** The organization requires a recording announcement, but this call cannot play one. */
export const notAnnounced: Shortfall = {
  code: 'recording_not_announced',
  detail:
    'recordings are announced, and there is no announcement in the language of the call, or no voice for it: nothing was recorded',
};

/**
 * What a call is configured to do and this worker leaves out.
 * @param detectsLanguage whether the transcriber of the call reports the language of what it recognised
 * @param hasSound whether the line carries sound, so that a background is heard
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
