import { MessageTemplateCreate, MessageTemplateUpdate } from '@parley/contract';
import type { AgentsServiceServer } from '@parley/proto/agents';
import { documentOf, type UnaryHandlers } from '@parley/runtime';
import type { Dependencies } from '../usecases/dependencies';
import {
  createMessageTemplate,
  getMessageTemplate,
  listMessageTemplates,
  updateMessageTemplate,
} from '../usecases/message-templates';
import { organizationOf } from './organization-of';
import { lenientBody, type BodyOptions } from './parse-body';

type TemplateMethods =
  'createMessageTemplate' | 'listMessageTemplates' | 'getMessageTemplate' | 'updateMessageTemplate';

const schema = 'MessageTemplate';

/** Message templates. */
export function templateHandlers(
  dependencies: Dependencies,
  options: BodyOptions,
): Pick<UnaryHandlers<AgentsServiceServer>, TemplateMethods> {
  return {
    async createMessageTemplate(request, context) {
      const { body, ignored } = lenientBody(MessageTemplateCreate, request.body, options);
      const organizationId = organizationOf(request, context);
      const { idempotency } = request;
      const answer = await createMessageTemplate(dependencies, { organizationId, body, idempotency });
      const { json, etag, replayed = false } = answer;
      return { document: documentOf(schema, json), etag, replayed, ignoredFields: ignored };
    },
    async listMessageTemplates(request, context) {
      const { limit = 0, cursor = '' } = request.page ?? {};
      const organizationId = organizationOf(request, context);
      const json = await listMessageTemplates(dependencies, { organizationId, limit, cursor });
      return { document: documentOf('MessageTemplatePage', json) };
    },
    async getMessageTemplate(request, context) {
      const organizationId = organizationOf(request, context);
      const { json, etag } = await getMessageTemplate(dependencies, organizationId, request.templateId);
      return { document: documentOf(schema, json), etag, replayed: false };
    },
    async updateMessageTemplate(request, context) {
      const { body, ignored } = lenientBody(MessageTemplateUpdate, request.body, options);
      const { templateId, ifMatch } = request;
      const organizationId = organizationOf(request, context);
      const { json, etag } = await updateMessageTemplate(dependencies, { organizationId, templateId, ifMatch, body });
      return { document: documentOf(schema, json), etag, replayed: false, ignoredFields: ignored };
    },
  };
}
