import { forbidden, unauthorized } from '@parley/errors';
import { TelephonyServiceService, type TelephonyServiceServer } from '@parley/proto/telephony';
import { documentOf, grpcService, jsonOf, type CallContext, type GrpcService } from '@parley/runtime';
import { idempotencyKeyFrom, tenantOf } from '@parley/service';
import { addCampaignContacts, addCampaignRows } from './campaigns';
import {
  demoRpcs,
  endDraftCalls,
  putGatewayPart,
  receiveCarrierCall,
  receiveCarrierCallStatus,
  gatewayOf,
} from './intake';
import { extractionRpcs } from './after';
import { hasLiveCalls } from './books';
import { checkConfiguration, putJobPart, readAudio } from './dispatch';
import { receiveCarrierMessage, receiveCarrierReport } from './messages';
import { carrierOf, type CarrierWebhook } from './network';
import { checkLease, listenToCall, watchCall } from './lines';
import type { WholeTelephony } from './face';

/**
 * The requests for which the gateway has separate handlers: webhooks of carriers, contacts (which can also be uploaded as CSV), and the bytes of recordings.
 */
export function telephonyService(telephony: WholeTelephony): GrpcService {
  const acknowledged = ({ provider }: CarrierWebhook) => ({
    body: carrierOf(telephony, provider).protocol.acknowledge(),
  });
  return grpcService<TelephonyServiceServer>(TelephonyServiceService, {
    ...extractionRpcs(telephony),
    ...demoRpcs(telephony),
    async receiveCarrierCall(request, context) {
      return { body: await receiveCarrierCall(telephony, request, context) };
    },
    async receiveCarrierCallStatus(request, context) {
      await receiveCarrierCallStatus(telephony, request, context);
      return acknowledged(request);
    },
    async receiveCarrierMessage(webhook, context) {
      await receiveCarrierMessage(telephony, webhook, context);
      return acknowledged(webhook);
    },
    async receiveCarrierReport(webhook) {
      await receiveCarrierReport(telephony, webhook);
      return acknowledged(webhook);
    },
    async checkConfiguration(request, context) {
      return checkConfiguration(telephony, organizationOf(request.organizationId, context), request);
    },
    async watchCall({ organizationId, callId, after, waitMs }, { caller, signal }) {
      return watchCall(telephony, { organizationId: tenantOf(caller, organizationId), callId, after, waitMs }, signal);
    },
    async listenToCall({ organizationId, callId, again, checkOnly }, context) {
      await listenToCall(
        telephony,
        { organizationId: tenantOf(context.caller, organizationId), callId, again, checkOnly },
        context,
      );
      return {};
    },
    async checkLease({ organizationId, jobId, epoch }, { caller }) {
      telephony.workerHeard();
      return { callId: await checkLease(telephony, tenantOf(caller, organizationId), jobId, Number(epoch)) };
    },
    async hasLiveCalls({ organizationId, agentId }, { caller }) {
      return { live: await hasLiveCalls(telephony.db, tenantOf(caller, organizationId), agentId) };
    },
    async endDraftCalls({ organizationId, agentId }, context) {
      await endDraftCalls(telephony, tenantOf(context.caller, organizationId), agentId, context);
      return {};
    },
    async putRecordingPart({ organizationId: named, jobId, part, epoch, content }, { caller }) {
      telephony.workerHeard();
      const organizationId = tenantOf(caller, named);
      const write = { organizationId, jobId, part, epoch: Number(epoch), content: Buffer.from(content) };
      return written('RecordingPartRecord', await putJobPart(telephony, write));
    },
    async putGatewayRecordingPart({ organizationId: named, callId, part, content }, { caller }) {
      if (caller === undefined) throw unauthorized();
      const line = { organizationId: tenantOf(caller, named), callId, gateway: gatewayOf(caller) };
      return written(
        'RecordingPartRecord',
        await putGatewayPart(telephony, { ...line, part, content: Buffer.from(content) }),
      );
    },
    async readRecordingAudio({ organizationId: named, callId, from, most, format }, { caller }) {
      const { size, ...piece } = await readAudio(telephony, tenantOf(caller, named), {
        callId,
        from: Number(from),
        most,
        format,
      });
      return { ...piece, size: String(size) };
    },
    async addCampaignContacts({ organizationId: named, campaignId, body, idempotency }, context) {
      const organizationId = organizationOf(named, context);
      const request = (owner: string) => idempotencyKeyFrom(owner, idempotency);
      const added = await addCampaignContacts(telephony, organizationId, campaignId, jsonOf(body), request, context);
      return { document: documentOf('CampaignImportRecord', added.body), replayed: added.replayed };
    },
    async addCampaignRows(
      {
        organizationId: named,
        campaignId,
        idempotency,
        importId,
        rows,
        delimiter,
        firstLine,
        piece,
        last,
        uploadSha256,
      },
      context,
    ) {
      const organizationId = organizationOf(named, context);
      const request = (owner: string) => idempotencyKeyFrom(owner, idempotency);
      const sha256 = Buffer.from(uploadSha256);
      const given = { importId, rows: Buffer.from(rows), delimiter, firstLine: Number(firstLine), piece, last, sha256 };
      const taken = await addCampaignRows(telephony, organizationId, campaignId, given, request, context);
      const document = documentOf('CampaignImportRecord', taken.body);
      return { importId: taken.importId, document, replayed: taken.replayed };
    },
  });
}

const written = (schema: string, body: string) => ({
  document: documentOf(schema, body),
  replayed: false,
});

/** The organization whose campaigns a request may access; '' for an operator that specified none. Hosted workers may not access campaigns. */
function organizationOf(named: string, { caller }: CallContext): string {
  const organizationId = tenantOf(caller, named);
  if (organizationId === '' && caller?.kind !== 'operator') throw forbidden();
  return organizationId;
}
