import { creatingRequest } from '@parley/service';
import type { CallResponse } from '@parley/proto/telephony';
import { documentOf, jsonOf } from '@parley/runtime';
import { createCall } from '../usecases/create-call';
import { createTrialCall } from '../usecases/create-trial-call';
import type { Handled, Handlers } from './handled';
import { reach } from './reach';

type CallMethods = 'createCall' | 'createTrialCall';

export function callHandlers({ telephony }: Handled): Handlers<CallMethods> {
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
