import { ListQuery } from '../objects/page';
import { WorkerGroupPage, WorkerJobListQuery, WorkerJobRecordPage } from '../objects/worker-list';
import { routesOf } from './define';

const route = routesOf('telephony');

export const workerRoutes = {
  listWorkers: route('GET', '/v1/workers', {
    summary: 'List workers by what they declared, hosted ones first',
    scope: 'worker_jobs:read',
    audience: ['operator'],
    query: ListQuery,
    answer: WorkerGroupPage,
    mcp: false,
  }),
  listWorkerJobs: route('GET', '/v1/worker-jobs', {
    summary: 'List jobs, those of the newest calls first',
    scope: 'worker_jobs:read',
    audience: ['operator'],
    query: WorkerJobListQuery,
    answer: WorkerJobRecordPage,
    mcp: false,
  }),
};
