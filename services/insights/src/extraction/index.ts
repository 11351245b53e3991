/** Extraction of data from the calls of agents, after their transcripts. */
export {
  deleteConfiguration,
  getConfiguration,
  replaceConfiguration,
  type OfAgent,
  type StoredConfiguration,
} from './configurations';
export { findConfiguration } from './configurations.sql';
export { runModelExtraction } from './run-extraction';
export type { ExtractionDependencies } from './dependencies';
export { OutputValidators } from './output-validator';
export { createRerun, getRerun } from './reruns';
export { ExtractionRunner, rerunLister } from './runner';
export { recordExists } from './jobs.cross-tenant.sql';
export { transcriptConsumer } from './transcript-consumer';
