import type { RuntimeConfiguration, WorkerJob } from '@parley/contract';

/** The configuration of a job. */
export const configurationOf = ({
  runtime_configuration: configuration,
}: Pick<WorkerJob, 'runtime_configuration'>): Partial<RuntimeConfiguration> => configuration;
