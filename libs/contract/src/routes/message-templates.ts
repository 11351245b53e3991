import {
  MessageTemplate,
  MessageTemplateCreate,
  MessageTemplatePage,
  MessageTemplateUpdate,
} from '../objects/message-template';
import { ListQuery } from '../objects/page';
import { route } from './define';

const onePath = '/v1/message-templates/{template_id}';

export const messageTemplateRoutes = {
  createMessageTemplate: route({
    id: 'create-message-template',
    method: 'POST',
    path: '/v1/message-templates',
    summary: 'Create a message template',
    scope: 'agents:write',
    body: MessageTemplateCreate,
    answer: MessageTemplate,
    service: 'agents',
    creates: true,
    errors: ['NotFoundError'],
  }),
  listMessageTemplates: route({
    id: 'list-message-templates',
    method: 'GET',
    path: '/v1/message-templates',
    summary: 'List message templates, newest first',
    scope: 'agents:read',
    query: ListQuery,
    answer: MessageTemplatePage,
    service: 'agents',
  }),
  getMessageTemplate: route({
    id: 'get-message-template',
    method: 'GET',
    path: onePath,
    summary: 'Read a message template',
    scope: 'agents:read',
    answer: MessageTemplate,
    service: 'agents',
    byId: 'template_id',
  }),
  updateMessageTemplate: route({
    id: 'update-message-template',
    method: 'PATCH',
    path: onePath,
    summary: 'Update a message template',
    scope: 'agents:write',
    body: MessageTemplateUpdate,
    answer: MessageTemplate,
    service: 'agents',
    byId: 'template_id',
    conditional: true,
  }),
};
