import type { RuntimeConfiguration, WorkerJob } from '@parley/contract';

/** What a job is configured to run. */
export const configurationOf = ({
  runtime_configuration: configuration,
}: Pick<WorkerJob, 'runtime_configuration'>): Partial<RuntimeConfiguration> => configuration;
