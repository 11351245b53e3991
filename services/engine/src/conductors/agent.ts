import { conductExternalAudio, type AudioCallEnvironment } from '../external/audio-call';
import type { ConnectedLine } from '../lines/connected-line';
import { conductConnected, type SoundEnvironment } from '../session/conduct';
import { configurationOf } from '../session/configuration';
import type { Conductor } from './conductor';

/** Conducts calls with the components that their agents select, or connects them to the agents' own servers. */
export const agentConductor =
  (environment: SoundEnvironment & Pick<AudioCallEnvironment, 'bounds'>): Conductor<ConnectedLine> =>
  (conducting) =>
    configurationOf(conducting.job).mode === 'external_audio'
      ? conductExternalAudio(environment, conducting)
      : conductConnected(environment, conducting);
