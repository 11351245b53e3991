import { routes } from '@parley/contract';
import { pageAnswer } from '../../answer';
import { projectRecord } from '../../render/project';
import { route } from '../../route';
import { pageOf } from '../../middleware/page-of';

export default route(routes.listProjects, async ({ params, query, clients, context }) => {
  const request = { organizationId: params.organization_id, page: pageOf(query) };
  const { projects, nextCursor } = await clients.auth.listProjects(request, context);
  return pageAnswer(projects.map(projectRecord), nextCursor);
});
