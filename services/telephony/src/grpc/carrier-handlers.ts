import { badRequest } from '@parley/errors';
import { creatingRequest } from '@parley/service';
import { documentOf, jsonOf, type CallContext } from '@parley/runtime';
import { emptyAnswer } from '../domain/twiml';
import { createCarrierCredential, listCarrierCredentialPage } from '../usecases/carrier-credentials';
import { receiveCarrierCall } from '../usecases/receive-carrier-call';
import { receiveCarrierCallStatus } from '../usecases/receive-carrier-call-status';
import type { Handled, Handlers } from './handled';
import { limitOf } from './limit-of';
import { reach } from './reach';

type CarrierMethods =
  'createCarrierCredential' | 'listCarrierCredentials' | 'receiveCarrierCall' | 'receiveCarrierCallStatus';

/** Accounts at carriers, and what these carriers send by themselves. */
export function carrierHandlers({ telephony }: Handled): Handlers<CarrierMethods> {
  return {
    async createCarrierCredential(request, context) {
      const creates = creatingRequest(ownerOf(request, context), request.idempotency);
      const answer = await createCarrierCredential(telephony, creates, jsonOf(request.body), context);
      const { body, etag, replayed, ignored } = answer;
      return { document: documentOf('CarrierCredentialRecord', body), etag, replayed, ignoredFields: [...ignored] };
    },
    async listCarrierCredentials(request, context) {
      const page = { cursor: request.page?.cursor ?? '', limit: limitOf(request.page) };
      const body = await listCarrierCredentialPage(telephony, ownerOf(request, context), page);
      return { document: documentOf('CarrierCredentialPage', body) };
    },
    async receiveCarrierCall(request, context) {
      return { body: await receiveCarrierCall(telephony, request, context) };
    },
    async receiveCarrierCallStatus(request, context) {
      await receiveCarrierCallStatus(telephony, request, context);
      return { body: emptyAnswer() };
    },
  };
}

function ownerOf(request: { readonly organizationId: string }, context: CallContext): string {
  const organizationId = reach(request.organizationId, context);
  if (organizationId === '') throw badRequest('organization_id is required');
  return organizationId;
}
