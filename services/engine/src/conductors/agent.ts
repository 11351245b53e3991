import type { ConnectedLine } from '../lines/connected-line';
import { conductConnected, type SoundEnvironment } from '../session/conduct';
import type { Conductor } from './conductor';

/** Conducts calls with the components that their agents select. */
export const agentConductor =
  (environment: SoundEnvironment): Conductor<ConnectedLine> =>
  ({ job, line, log }) =>
    conductConnected(environment, { job, line, log });
