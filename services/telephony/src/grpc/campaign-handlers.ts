import { creatingRequest } from '@parley/service';
import type { Idempotency } from '@parley/proto/common';
import { documentOf, jsonOf } from '@parley/runtime';
import { addCampaignContacts } from '../usecases/campaigns/add-contacts';
import { addCampaignRows } from '../usecases/campaigns/add-rows';
import type { Handled, Handlers } from './handled';
import { reach } from './reach';

/** The contacts of a campaign: their route also takes CSV, which the gateway hands over in pieces. */
export function campaignHandlers({ telephony }: Handled): Handlers<'addCampaignContacts' | 'addCampaignRows'> {
  return {
    async addCampaignContacts({ organizationId: named, campaignId, body, idempotency }, context) {
      const organizationId = reach(named, context);
      const request = creates(idempotency);
      const added = await addCampaignContacts(telephony, organizationId, campaignId, jsonOf(body), request);
      const { replayed, ignored } = added;
      const document = documentOf('CampaignImportRecord', added.body);
      return { document, etag: '', replayed, ignoredFields: [...ignored] };
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
  };
}

const creates = (idempotency: Idempotency | undefined) => (organizationId: string) =>
  creatingRequest(organizationId, idempotency);
