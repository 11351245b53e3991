import { badRequest } from '@parley/errors';
import { creatingRequest } from '@parley/service';
import type { Page } from '@parley/proto/common';
import { documentOf, jsonOf, type CallContext } from '@parley/runtime';
import { callEtag, renderCall } from '../domain/render-call';
import { getControls, setControls } from '../usecases/controls';
import { getPolicy, setPolicy } from '../usecases/policy';
import { resolveReview } from '../usecases/resolve-review';
import { createSuppressions, listSuppressionPage, removeSuppression } from '../usecases/suppressions';
import { getWallet, listLedgerPage, topUpWallet } from '../usecases/wallet';
import type { Handled, Handlers } from './handled';
import { limitOf } from './limit-of';
import { reach } from './reach';
import { written } from './written';

type WalletMethods =
  | 'getWallet'
  | 'topUpWallet'
  | 'listLedger'
  | 'getControls'
  | 'setControls'
  | 'getPolicy'
  | 'setPolicy'
  | 'createSuppressions'
  | 'listSuppressions'
  | 'removeSuppression'
  | 'resolveReview';

/** Handlers of what limits admission: the wallet, the limits, the suppression list, reviews. */
export function walletHandlers({ telephony }: Handled): Handlers<WalletMethods> {
  return {
    async getWallet(request, context) {
      const body = await getWallet(telephony, ownerOf(request, context));
      return { document: documentOf('WalletRecord', body), etag: '', replayed: false };
    },
    async topUpWallet(request, context) {
      const creates = creatingRequest(ownerOf(request, context), request.idempotency);
      return written('LedgerEntry', await topUpWallet(telephony, creates, jsonOf(request.body), context));
    },
    async listLedger(request, context) {
      const body = await listLedgerPage(telephony, ownerOf(request, context), pageOf(request.page));
      return { document: documentOf('LedgerEntryPage', body) };
    },
    async getControls(request, context) {
      const { body, etag } = await getControls(telephony, ownerOf(request, context));
      return { document: documentOf('ControlsRecord', body), etag, replayed: false };
    },
    async setControls(request, context) {
      const organizationId = ownerOf(request, context);
      const answer = await setControls(telephony, organizationId, request.ifMatch, jsonOf(request.body), context);
      return written('ControlsRecord', answer);
    },
    async getPolicy(request, context) {
      const { body, etag } = await getPolicy(telephony, ownerOf(request, context));
      return { document: documentOf('OutboundPolicyRecord', body), etag, replayed: false };
    },
    async setPolicy(request, context) {
      const organizationId = ownerOf(request, context);
      const answer = await setPolicy(telephony, organizationId, request.ifMatch, jsonOf(request.body), context);
      return written('OutboundPolicyRecord', answer);
    },
    async createSuppressions(request, context) {
      const creates = creatingRequest(ownerOf(request, context), request.idempotency);
      return written('SuppressionsAdded', await createSuppressions(telephony, creates, jsonOf(request.body), context));
    },
    async listSuppressions(request, context) {
      const body = await listSuppressionPage(telephony, ownerOf(request, context), pageOf(request.page));
      return { document: documentOf('SuppressionRecordPage', body) };
    },
    async removeSuppression(request, context) {
      const answer = await removeSuppression(telephony, ownerOf(request, context), jsonOf(request.body), context);
      return written('SuppressionRemoved', answer);
    },
    async resolveReview(request, context) {
      const organizationId = reach(request.organizationId, context);
      const body = jsonOf<unknown>(request.body);
      const { call, ignored } = await resolveReview(telephony, organizationId, request.callId, body, context);
      return {
        document: documentOf('CallRecord', renderCall(call)),
        etag: callEtag(call),
        replayed: false,
        ignoredFields: [...ignored],
      };
    },
  };
}

/** These belong to an organization: an operator names one. */
function ownerOf(request: { readonly organizationId: string }, context: CallContext): string {
  const organizationId = reach(request.organizationId, context);
  if (organizationId === '') throw badRequest('organization_id is required');
  return organizationId;
}

const pageOf = (page: Page | undefined) => ({ cursor: page?.cursor ?? '', limit: limitOf(page) });
