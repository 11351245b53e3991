import type { ProjectRecord } from '@parley/contract';
import type { Project } from '@parley/proto/auth';

export const projectRecord = (project: Project): ProjectRecord => ({
  project_id: project.projectId,
  organization_id: project.organizationId,
  name: project.name,
  created_at: project.createdAt,
});
