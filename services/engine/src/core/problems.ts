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

/** What a call is configured to do and this worker leaves out. @param language of the call */
export function shortfallsOf(configuration: Partial<RuntimeConfiguration>, language: string): Shortfall[] {
  const { publication, effective } = configuration;
  const found: Shortfall[] = [];
  const profile = publication?.profiles?.find(({ locale }) => locale === language);
  if (publication !== undefined && profile !== undefined) {
    const { transcriber, voice } = profile;
    if (differs(transcriber, publication.transcriber))
      found.push(notApplied(`the transcriber of the profile ${language}`));
    if (differs(voice, publication.voice)) found.push(notApplied(`the voice of the profile ${language}`));
  }
  if (publication?.follow_caller?.enabled === true) found.push(notApplied('follow_caller'));
  if (typeof effective?.voice_polish?.delivery.chosen === 'string') found.push(notApplied('voice_polish.delivery'));
  if ((effective?.audio_environment?.preset ?? 'none') !== 'none') found.push(notApplied('audio_environment'));
  return found;
}

interface Component {
  readonly provider: string;
  readonly model: string;
  readonly voice_id?: string;
}

const differs = (one: Component | undefined, other: Component | undefined): boolean =>
  one !== undefined && other !== undefined && (one.provider !== other.provider || one.model !== other.model);
