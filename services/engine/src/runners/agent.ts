import { runExternalAudioCall, type AudioCallEnvironment } from '../external/audio-call';
import type { ConnectedLine } from '../lines/connected-line';
import { runConnectedCall, type SoundEnvironment } from '../session/run-call';
import { configurationOf } from '../session/configuration';
import type { CallRunner } from './runner';

/** Conducts calls with the components that their agents select, or connects them to the agents' own servers. */
export const agentRunner =
  (environment: SoundEnvironment & Pick<AudioCallEnvironment, 'bounds'>): CallRunner<ConnectedLine> =>
  (call) =>
    configurationOf(call.job).mode === 'external_audio'
      ? runExternalAudioCall(environment, call)
      : runConnectedCall(environment, call);
