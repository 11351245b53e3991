import { badRequest, notFound } from '@parley/errors';
import { limits } from '@parley/contract';
import { findWorkflow, listVersions } from '../db/workflows';
import { versionRange, workflowRead } from '../domain/workflow';
import type { Dependencies } from './dependencies';
import { workspaceOf } from './find-workspace';

export interface GetWorkflow {
  readonly organizationId: string;
  readonly agentId: string;
  readonly offset: number;
  /** 1 to 100; 0 stands for the default. */
  readonly limit: number;
}

/** GET /v1/agents/{agent_id}/workflow (section 2.11), as JSON text. NotFoundError when absent or foreign. */
export async function getWorkflow({ db }: Dependencies, request: GetWorkflow): Promise<string> {
  const { agentId, offset } = request;
  const limit = request.limit === 0 ? limits.pageSizeDefault : request.limit;
  if (offset < 0 || limit < limits.pageSize.min || limit > limits.pageSize.max)
    throw badRequest(`limit must be ${limits.pageSize.min} to ${limits.pageSize.max}, offset at least 0`);
  const found = await findWorkflow(db, await workspaceOf(db, request.organizationId, agentId), agentId);
  if (found === undefined) throw notFound('agent');
  const { workflow } = found;
  const latest = workflow.publishedVersion;
  const list = (range: { first: number; last: number }) => listVersions(db, workflow.organizationId, agentId, range);
  const versions = latest > offset ? await list(versionRange(latest, { offset, limit })) : [];
  const [published] = offset === 0 ? versions : latest === 0 ? [] : await list({ first: latest, last: latest });
  return JSON.stringify(workflowRead(workflow, { offset, limit, versions, published }));
}
