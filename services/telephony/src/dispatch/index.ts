/** Jobs of workers: claims, reports and hand-over, and what a worker needs for a call. */

// Continues calls with another worker when their worker is lost or releases them (ADR 86).
export { grantSeconds, mayBeTakenUp } from './worker-jobs/hand-over.rules';

// Queries an agent's knowledge bases during a call. The knowledge service stores them.
export { KnowledgeBases, queryKnowledge } from './knowledge/knowledge-client';

// Recordings: their stores, parts and files, and reading them.
export { completeIncomingRecording, completeJobRecording } from './recordings/complete-recording';
export { putIncomingPart, putJobPart, type PartWrite } from './recordings/put-part';
export { getRecording, readAudio } from './recordings/read-recording';
export { createRecordingFinisher, partsRefusedMeter } from './recordings/recording-finisher';
export { recordingStoreOf } from './recordings/recording-stores';
export { createRecordingTranscoder } from './recordings/recording-transcoder';

// The routes of workers (claims, adoption, heartbeats, reports and completions), and calls that no worker can conduct.
export { adoptJob } from './worker-jobs/adopt-job';
export { type Artifacts, artifactsOf, keepArtifacts } from './worker-jobs/artifacts';
export { type ClaimedWork, claimJobs } from './worker-jobs/claim-jobs';
export { completeJob } from './worker-jobs/complete-job';
export { listJobPage } from './worker-jobs/list-jobs';
export { recheckControls } from './worker-jobs/recheck-at-dialing';
export { againstDialing, movesOf, reportJob } from './worker-jobs/report-job';
export { reportTurns } from './worker-jobs/report-turns';
export { createUnservedCalls } from './worker-jobs/unserved-calls';

// Workers: their declared capabilities, what a call needs of them, and the tool calls that they record.
export { agentClient, type AgentSnapshot, type AskAgent } from './workers/agent-client';
export { listWorkerPage } from './workers/list-workers';
export { providerAccounts } from './workers/provider-accounts';
export {
  checkConfiguration,
  findPublication,
  needsOfAgent,
  refuseBlockers,
  requireWorkers,
  whyNoBrowser,
  whyNoChat,
  whyNotRunnable,
  WorkersAway,
} from './workers/runnable';
export { RuntimeConfigurations } from './workers/runtime-configuration';
export { sealedValues } from './workers/sealed-tunings';
export { beginToolCall, endToolCall } from './workers/tool-calls';
export { digestOf, WorkerCapabilities } from './workers/worker-capabilities';
export { leaseCallCredentials, openWorkerCredentials } from './workers/worker-credentials';
