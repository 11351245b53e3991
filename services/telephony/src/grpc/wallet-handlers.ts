import { documentOf, jsonOf } from '@parley/runtime';
import { callEtag, renderCall } from '../domain/render-call';
import { resolveReview } from '../usecases/resolve-review';
import type { Handled, Handlers } from './handled';
import { reach } from './reach';

export function walletHandlers({ telephony }: Handled): Handlers<'resolveReview'> {
  return {
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
