import { routes } from '@parley/contract';
import { route } from '../../route';

/** A preview may wait for those before it. */
const deadlineMs = 25_000;

export default route(routes.previewVoice, async ({ body, organizationId, clients, context }) => {
  const request = { organizationId, body: body.document() };
  const { content, ignoredFields } = await clients.agents.previewVoice(request, context, { deadlineMs });
  return { body: content, ignored: ignoredFields };
});
