import { routes } from '@parley/contract';
import { jsonAnswer } from '../../answer';
import { present } from '../../render/present';
import { projectRecord } from '../../render/project';
import { route } from '../../route';

export default route(routes.createProject, async ({ params, body, idempotency: key, clients, context }) => {
  const { fields, idempotency } = body.creation(key);
  const request = { organizationId: params.organization_id, name: fields.name ?? '', idempotency };
  const { project, replayed } = await clients.auth.createProject(request, context);
  return jsonAnswer(projectRecord(present(project, 'project')), { replayed });
});
