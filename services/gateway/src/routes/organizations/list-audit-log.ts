import { routes } from '@parley/contract';
import { pageAnswer } from '../../answer';
import { auditRecord } from '../../render/audit-entry';
import { route } from '../../route';
import { pageOf } from '../../middleware/page-of';

export default route(routes.listAuditLog, async ({ params, query, clients, context }) => {
  const request = { organizationId: params.organization_id, page: pageOf(query) };
  const { entries, nextCursor } = await clients.auth.listAuditLog(request, context);
  return pageAnswer(entries.map(auditRecord), nextCursor);
});
