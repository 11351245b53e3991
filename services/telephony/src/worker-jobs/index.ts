/** The routes of workers (claims, adoption, heartbeats, reports and completions), and the handling of jobs whose worker does not respond. */
export { adoptJob } from './adopt-job';
export { type Artifacts, artifactsOf, keepArtifacts } from './artifacts';
export { type ClaimedWork, claimJobs } from './claim-jobs';
export { completeJob, endLost } from './complete-job';
export { type LeaseState, heartbeat } from './heartbeat';
export { recheckControls } from './recheck-at-dialling';
export { listJobPage } from './list-jobs';
export { leaseTimesOf } from './lease-times.rules';
export { createReaper } from './reaper';
export { againstDialling, failUndialled, movesOf, reportJob } from './report-job';
export { keepReportedTurns, reportTurns } from './report-turns';
export { createUnadoptedCalls, createUnservedCalls } from './unserved-calls';
export { WorkerHearing } from './worker-hearing';
