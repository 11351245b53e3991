import { routes } from '@parley/contract';
import { internal } from '@parley/errors';
import { documentAnswer, type Answer } from '../http';
import { csvPieces } from './csv-pieces';
import { utf8Of } from './csv-text';
import { route, type RouteRequest } from './route';

type AddContacts = RouteRequest<typeof routes.addCampaignContacts>;

export default route(routes.addCampaignContacts, async (request) => {
  const { params, body, organizationId, idempotency, clients, context } = request;
  if (body.upload !== undefined) return addRows(request, body.upload);
  const write = { organizationId, campaignId: params.campaign_id, body: body.document(), idempotency };
  const { document, replayed } = await clients.telephony.addCampaignContacts(write, context);
  return documentAnswer(document, { replayed });
});

/**
 * Forwards the upload chunk by chunk, so that at most two chunks are buffered. An Idempotency-Key is bound to the first chunk, so that a replay is recognized
 * at once, and also to the whole upload: after a replayed first chunk the rest is only read, and its digest is compared.
 */
async function addRows(
  { params, organizationId, idempotency, clients, context }: AddContacts,
  upload: AsyncIterable<Buffer>,
): Promise<Answer> {
  let importId = '';
  let fingerprint = idempotency.fingerprint;
  let isReplay = false;
  for await (const { rows, delimiter, firstLine, piece, last, digest, whole } of csvPieces(utf8Of(upload))) {
    if (piece === 1) fingerprint = Buffer.concat([fingerprint, digest]);
    if (isReplay && !last) continue;
    const request = {
      organizationId,
      campaignId: params.campaign_id,
      importId,
      rows: isReplay ? Buffer.alloc(0) : rows,
      delimiter,
      firstLine: String(firstLine),
      piece,
      last,
      idempotency: { ...idempotency, fingerprint },
      uploadSha256: whole,
    };
    const taken = await clients.telephony.addCampaignRows(request, context);
    if (last) return documentAnswer(taken.document, { replayed: taken.replayed });
    isReplay = taken.replayed;
    importId = taken.importId;
  }
  throw internal(new Error('an upload has no last chunk'));
}
