import {
  MessageTemplate,
  MessageTemplateCreate,
  MessageTemplatePage,
  MessageTemplateUpdate,
} from '../objects/message-template';
import { ListQuery } from '../objects/page';
import { routesOf } from './define';

const route = routesOf('agents');

const onePath = '/v1/message-templates/{template_id}';

export const messageTemplateRoutes = {
  createMessageTemplate: route('POST', '/v1/message-templates', {
    summary: 'Create a message template',
    tool: 'Create a template of messages: texts by language, with slots and variables as {{name}}.',
    scope: 'agents:write',
    body: MessageTemplateCreate,
    answer: MessageTemplate,
    creates: true,
    newWork: false,
    audit: 'message_template.created',
    errors: ['NotFoundError'],
  }),
  listMessageTemplates: route('GET', '/v1/message-templates', {
    summary: 'List message templates, newest first',
    tool: 'List the message templates of the organization, newest first.',
    scope: 'agents:read',
    query: ListQuery,
    answer: MessageTemplatePage,
  }),
  getMessageTemplate: route('GET', onePath, {
    summary: 'Read a message template',
    tool: 'Read one message template.',
    scope: 'agents:read',
    answer: MessageTemplate,
  }),
  deleteMessageTemplate: route('DELETE', onePath, {
    summary: 'Delete a message template; messages made of it stay',
    tool: 'Delete a message template. Messages that were made of it stay.',
    scope: 'agents:write',
    answer: MessageTemplate,
    newWork: false,
    audit: 'message_template.deleted',
    conditional: true,
  }),
  updateMessageTemplate: route('PATCH', onePath, {
    summary: 'Update a message template',
    tool: 'Change a message template: fields that are sent replace, others stay.',
    scope: 'agents:write',
    body: MessageTemplateUpdate,
    answer: MessageTemplate,
    newWork: false,
    audit: 'message_template.updated',
    conditional: true,
  }),
};
