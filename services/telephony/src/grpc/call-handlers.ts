import { creatingRequest } from '@parley/service';
import type { CallResponse } from '@parley/proto/telephony';
import { documentOf, jsonOf } from '@parley/runtime';
import type { Call } from '../domain/call';
import { callEtag, renderCall } from '../domain/render-call';
import { cancelCall } from '../usecases/cancel-call';
import { createCall } from '../usecases/create-call';
import { createTrialCall } from '../usecases/create-trial-call';
import { getCall, getRecording, getTranscript, listCallEventPage, listCallPage } from '../usecases/read-calls';
import type { Handled, Handlers } from './handled';
import { limitOf } from './limit-of';
import { reach } from './reach';

type CallMethods =
  | 'createCall'
  | 'listCalls'
  | 'getCall'
  | 'cancelCall'
  | 'listCallEvents'
  | 'getTranscript'
  | 'getRecording'
  | 'createTrialCall';

export function callHandlers({ telephony }: Handled): Handlers<CallMethods> {
  const { db } = telephony;
  return {
    async createCall(request, context): Promise<CallResponse> {
      const input = {
        organizationId: reach(request.organizationId, context),
        body: jsonOf<unknown>(request.body),
        request: (organizationId: string) => creatingRequest(organizationId, request.idempotency),
      };
      const { body, etag, replayed, ignored } = await createCall(telephony, input, context);
      return { document: documentOf('CallRecord', body), etag, replayed, ignoredFields: [...ignored] };
    },
    async listCalls(request, context) {
      const { agentId, projectId, status, direction } = request;
      const organizationId = reach(request.organizationId, context);
      const page = { cursor: request.page?.cursor ?? '', limit: limitOf(request.page) };
      const body = await listCallPage(db, { organizationId, agentId, projectId, status, direction, ...page });
      return { document: documentOf('CallPage', body) };
    },
    async getCall(request, context) {
      return responseOf(await getCall(db, reach(request.organizationId, context), request.callId));
    },
    async cancelCall(request, context) {
      return responseOf(await cancelCall(telephony, reach(request.organizationId, context), request.callId, context));
    },
    async listCallEvents(request, context) {
      const organizationId = reach(request.organizationId, context);
      const page = { cursor: request.page?.cursor ?? '', limit: limitOf(request.page) };
      const body = await listCallEventPage(db, { organizationId, callId: request.callId, ...page });
      return { document: documentOf('EventPage', body) };
    },
    async getTranscript(request, context) {
      const body = await getTranscript(db, reach(request.organizationId, context), request.callId);
      return {
        document: documentOf('TranscriptRecord', body),
        etag: `"${request.callId}.transcript"`,
        replayed: false,
      };
    },
    async getRecording(request, context) {
      const body = await getRecording(db, reach(request.organizationId, context), request.callId);
      return { document: documentOf('RecordingRecord', body), etag: `"${request.callId}.recording"`, replayed: false };
    },
    async createTrialCall(request, context): Promise<CallResponse> {
      const { agentId, outcome, projectId } = request;
      const input = {
        organizationId: reach(request.organizationId, context),
        agentId,
        outcome,
        projectId,
        request: (organizationId: string) => creatingRequest(organizationId, request.idempotency),
      };
      const { body, etag, replayed } = await createTrialCall(telephony, input, context);
      return { document: documentOf('CallRecord', body), etag, replayed, ignoredFields: [] };
    },
  };
}

function responseOf(call: Call): CallResponse {
  return {
    document: documentOf('CallRecord', renderCall(call)),
    etag: callEtag(call),
    replayed: false,
    ignoredFields: [],
  };
}
