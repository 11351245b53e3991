import { creatingRequest } from '@parley/service';
import { documentOf, jsonOf } from '@parley/runtime';
import { messageEtag, renderMessage } from '../domain/render-message';
import { emptyAnswer } from '../domain/twiml';
import { createMessage } from '../usecases/create-message';
import { createTemplateMessage } from '../usecases/create-template-message';
import { getMessage, listMessagePage } from '../usecases/read-messages';
import { receiveCarrierMessage } from '../usecases/receive-carrier-message';
import { receiveCarrierReport } from '../usecases/receive-carrier-report';
import type { Handled, Handlers } from './handled';
import { limitOf } from './limit-of';
import { reach } from './reach';
import { written } from './written';

type MessageMethods =
  | 'createMessage'
  | 'createTemplateMessage'
  | 'listMessages'
  | 'getMessage'
  | 'receiveCarrierMessage'
  | 'receiveCarrierReport';

const schema = 'MessageRecord';

export function messageHandlers({ telephony }: Handled): Handlers<MessageMethods> {
  const { db } = telephony;
  return {
    async createMessage(request, context) {
      const input = {
        organizationId: reach(request.organizationId, context),
        body: jsonOf<unknown>(request.body),
        request: (organizationId: string) => creatingRequest(organizationId, request.idempotency),
      };
      return written(schema, await createMessage(telephony, input, context));
    },
    async createTemplateMessage(request, context) {
      const input = {
        organizationId: reach(request.organizationId, context),
        agentId: request.agentId,
        body: jsonOf<unknown>(request.body),
        request: (organizationId: string) => creatingRequest(organizationId, request.idempotency),
      };
      return written(schema, await createTemplateMessage(telephony, input, context));
    },
    async listMessages(request, context) {
      const { agentId, projectId, status, direction } = request;
      const organizationId = reach(request.organizationId, context);
      const page = { cursor: request.page?.cursor ?? '', limit: limitOf(request.page) };
      const body = await listMessagePage(db, { organizationId, agentId, projectId, status, direction, ...page });
      return { document: documentOf('MessageRecordPage', body) };
    },
    async getMessage(request, context) {
      const message = await getMessage(db, reach(request.organizationId, context), request.messageId);
      return { document: documentOf(schema, renderMessage(message)), etag: messageEtag(message), replayed: false };
    },
    async receiveCarrierMessage(webhook, context) {
      await receiveCarrierMessage(telephony, webhook, context);
      return { body: emptyAnswer() };
    },
    async receiveCarrierReport(webhook) {
      await receiveCarrierReport(telephony, webhook);
      return { body: emptyAnswer() };
    },
  };
}
