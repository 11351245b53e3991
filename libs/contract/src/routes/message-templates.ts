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
    tool: { description: 'Create a template of messages: texts by language, with slots and variables as {{name}}.' },
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
    tool: { description: 'List the message templates of the organization, newest first.' },
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
    tool: { description: 'Read one message template.' },
    scope: 'agents:read',
    answer: MessageTemplate,
    service: 'agents',
    byId: 'template_id',
  }),
  deleteMessageTemplate: route({
    id: 'delete-message-template',
    method: 'DELETE',
    path: onePath,
    summary: 'Delete a message template; messages made of it stay',
    tool: { description: 'Delete a message template. Messages that were made of it stay.' },
    scope: 'agents:write',
    answer: MessageTemplate,
    service: 'agents',
    byId: 'template_id',
    conditional: true,
  }),
  updateMessageTemplate: route({
    id: 'update-message-template',
    method: 'PATCH',
    path: onePath,
    summary: 'Update a message template',
    tool: { description: 'Change a message template: fields that are sent replace, others stay.' },
    scope: 'agents:write',
    body: MessageTemplateUpdate,
    answer: MessageTemplate,
    service: 'agents',
    byId: 'template_id',
    conditional: true,
  }),
};
