import type { RuntimeConfiguration, WorkerJob } from '@parley/contract';

/** What a job is configured to run. */
export const configurationOf = ({ runtime_configuration: configuration }: WorkerJob): Partial<RuntimeConfiguration> =>
  configuration;
