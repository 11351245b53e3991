import type { CampaignListRequest, CampaignWriteRequest } from '@parley/proto/telephony';
import { pageOf } from '../../middleware/page-of';
import type { RouteRequest } from '../../route';

type Write = Pick<RouteRequest, 'body' | 'organizationId' | 'idempotency' | 'ifMatch'>;

/** A write of a campaign ('' for a new one), its body as it was sent. */
export const campaignWrite = (
  { body, organizationId, idempotency, ifMatch }: Write,
  campaignId: string,
): CampaignWriteRequest => ({ organizationId, campaignId, attemptId: '', body: body.document(), idempotency, ifMatch });

interface ListQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly project_id?: string;
  readonly status?: string;
  readonly contact_id?: string;
}

/** A list of a campaign's ('' for the list of campaigns). */
export const campaignList = (organizationId: string, campaignId: string, query: ListQuery): CampaignListRequest => ({
  organizationId,
  campaignId,
  page: pageOf(query),
  projectId: query.project_id ?? '',
  status: query.status ?? '',
  contactId: query.contact_id ?? '',
  importId: '',
});
