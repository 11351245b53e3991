import { creatingRequest } from '@parley/service';
import type { Idempotency } from '@parley/proto/common';
import type { CampaignListRequest, CampaignRequest, WrittenDocument } from '@parley/proto/telephony';
import { documentOf, jsonOf, type CallContext } from '@parley/runtime';
import type { CampaignTrigger } from '../domain/campaigns/campaign-transitions';
import { addCampaignContacts } from '../usecases/campaigns/add-contacts';
import { addCampaignRows } from '../usecases/campaigns/add-rows';
import { createCampaign } from '../usecases/campaigns/create-campaign';
import { duplicateCampaign } from '../usecases/campaigns/duplicate-campaign';
import {
  getCampaign,
  listAttemptPage,
  listCampaignPage,
  listContactPage,
  listFaultPage,
  listImportPage,
  type CampaignListInput,
} from '../usecases/campaigns/read-campaigns';
import { resolveCampaignReview } from '../usecases/campaigns/resolve-campaign-review';
import { changeCampaign, updateCampaign, writtenCampaign } from '../usecases/campaigns/write-campaign';
import type { Written } from '../usecases/wallet';
import type { Handled, Handlers } from './handled';
import { limitOf } from './limit-of';
import { reach } from './reach';

type CampaignMethods =
  | 'createCampaign'
  | 'listCampaigns'
  | 'getCampaign'
  | 'updateCampaign'
  | 'addCampaignContacts'
  | 'addCampaignRows'
  | 'listCampaignContacts'
  | 'listCampaignAttempts'
  | 'listCampaignImports'
  | 'listImportFaults'
  | 'launchCampaign'
  | 'pauseCampaign'
  | 'resumeCampaign'
  | 'cancelCampaign'
  | 'duplicateCampaign'
  | 'resolveCampaignReview';

export function campaignHandlers({ telephony }: Handled): Handlers<CampaignMethods> {
  const { db } = telephony;
  const change =
    (trigger: Exclude<CampaignTrigger, 'complete'>) =>
    async (request: CampaignRequest, context: CallContext): Promise<WrittenDocument> => {
      const organizationId = reach(request.organizationId, context);
      return written(
        'CampaignRecord',
        await changeCampaign(telephony, organizationId, request.campaignId, trigger, context),
      );
    };
  return {
    async createCampaign({ organizationId: named, body, idempotency }, context) {
      const organizationId = reach(named, context);
      const answer = await createCampaign(telephony, creates(idempotency), organizationId, jsonOf(body), context);
      return written('CampaignRecord', answer);
    },
    async listCampaigns(request, context) {
      return { document: documentOf('CampaignRecordPage', await listCampaignPage(db, listInput(request, context))) };
    },
    async getCampaign({ organizationId, campaignId }, context) {
      const { body, etag } = writtenCampaign(await getCampaign(db, reach(organizationId, context), campaignId));
      return { document: documentOf('CampaignRecord', body), etag, replayed: false };
    },
    async updateCampaign({ organizationId: named, campaignId, ifMatch, body }, context) {
      const organizationId = reach(named, context);
      const answer = await updateCampaign(telephony, organizationId, campaignId, ifMatch, jsonOf(body), context);
      return written('CampaignRecord', answer);
    },
    async addCampaignContacts({ organizationId: named, campaignId, body, idempotency }, context) {
      const organizationId = reach(named, context);
      const request = creates(idempotency);
      return written(
        'CampaignImportRecord',
        await addCampaignContacts(telephony, organizationId, campaignId, jsonOf(body), request),
      );
    },
    async addCampaignRows(
      { organizationId: named, campaignId, idempotency, importId, rows, firstLine, piece, last, uploadSha256 },
      context,
    ) {
      const organizationId = reach(named, context);
      const sha256 = Buffer.from(uploadSha256);
      const given = { importId, rows: Buffer.from(rows), firstLine: Number(firstLine), piece, last, sha256 };
      const taken = await addCampaignRows(telephony, organizationId, campaignId, given, creates(idempotency));
      const document = documentOf('CampaignImportRecord', taken.body);
      return { importId: taken.importId, document, replayed: taken.replayed };
    },
    async listCampaignContacts(request, context) {
      return {
        document: documentOf('CampaignContactRecordPage', await listContactPage(db, listInput(request, context))),
      };
    },
    async listCampaignAttempts(request, context) {
      return {
        document: documentOf('CampaignAttemptRecordPage', await listAttemptPage(db, listInput(request, context))),
      };
    },
    async listCampaignImports(request, context) {
      return {
        document: documentOf('CampaignImportRecordPage', await listImportPage(db, listInput(request, context))),
      };
    },
    async listImportFaults(request, context) {
      return { document: documentOf('ContactFaultPage', await listFaultPage(db, listInput(request, context))) };
    },
    launchCampaign: change('launch'),
    pauseCampaign: change('pause'),
    resumeCampaign: change('resume'),
    cancelCampaign: change('cancel'),
    async duplicateCampaign({ organizationId: named, campaignId, body, idempotency }, context) {
      const organizationId = reach(named, context);
      const request = creates(idempotency);
      return written(
        'CampaignRecord',
        await duplicateCampaign(telephony, organizationId, campaignId, jsonOf(body), request),
      );
    },
    async resolveCampaignReview({ organizationId: named, campaignId, attemptId, body }, context) {
      const organizationId = reach(named, context);
      const answer = await resolveCampaignReview(
        telephony,
        organizationId,
        campaignId,
        attemptId,
        jsonOf(body),
        context,
      );
      return written('CampaignAttemptRecord', answer);
    },
  };
}

const creates = (idempotency: Idempotency | undefined) => (organizationId: string) =>
  creatingRequest(organizationId, idempotency);

function listInput(request: CampaignListRequest, context: CallContext): CampaignListInput {
  const { campaignId, projectId, status, contactId, importId, page } = request;
  return {
    organizationId: reach(request.organizationId, context),
    campaignId,
    cursor: page?.cursor ?? '',
    limit: limitOf(page),
    projectId,
    status,
    contactId,
    importId,
  };
}

const written = (schema: string, { body, etag, replayed, ignored }: Written): WrittenDocument => ({
  document: documentOf(schema, body),
  etag,
  replayed,
  ignoredFields: [...ignored],
});
