import { runExternalAudioCall, type AudioCallEnvironment } from '../external/audio-call';
import type { ConnectedLine } from '../lines/connected-line';
import { runConnectedCall, type SoundEnvironment } from '../session/run-call';
import { configurationOf } from '../session/configuration';
import type { CallRunner } from './runner';

/** Conducts a call with the components that its agent selects, or connects it to the customer's server. */
export const agentRunner =
  (environment: SoundEnvironment & Pick<AudioCallEnvironment, 'bounds'>): CallRunner<ConnectedLine> =>
  (call) =>
    configurationOf(call.job).mode === 'external_audio'
      ? runExternalAudioCall(environment, call)
      : runConnectedCall(environment, call);
