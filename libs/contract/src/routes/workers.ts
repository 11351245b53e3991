import { ListQuery } from '../objects/page';
import { WorkerGroupPage, WorkerJobListQuery, WorkerJobRecordPage } from '../objects/worker-list';
import { route } from './define';

export const workerRoutes = {
  listWorkers: route({
    id: 'list-workers',
    method: 'GET',
    path: '/v1/workers',
    summary: 'List workers by what they declared, hosted ones first',
    scope: 'worker_jobs:read',
    audience: ['operator'],
    query: ListQuery,
    answer: WorkerGroupPage,
    service: 'telephony',
    mcp: false,
  }),
  listWorkerJobs: route({
    id: 'list-worker-jobs',
    method: 'GET',
    path: '/v1/worker-jobs',
    summary: 'List jobs, those of the newest calls first',
    scope: 'worker_jobs:read',
    audience: ['operator'],
    query: WorkerJobListQuery,
    answer: WorkerJobRecordPage,
    service: 'telephony',
    mcp: false,
  }),
};
