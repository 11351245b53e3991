import { MessageCreate, MessageListQuery, MessagePage, MessageRecord, TemplateMessageCreate } from '../objects/message';
import { routesOf } from './define';

const route = routesOf('telephony');

export const messageRoutes = {
  createMessage: route('POST', '/v1/messages', {
    summary: 'Send a message',
    tool: {
      name: 'send_message',
      description:
        'Send a text message to a telephone number in the name of an agent, from a number of its project. Responds immediately with status queued; read it again with get_message, or follow the events, to learn whether it was delivered. Numbers that opted out are refused.',
    },
    scope: 'sms:send',
    body: MessageCreate,
    answer: MessageRecord,
    newWork: true,
    // The message is the record.
    audit: false,
    creates: true,
    errors: ['InsufficientBalanceError', 'NotFoundError', 'SuspensionError'],
  }),
  createTemplateMessage: route('POST', '/v1/agents/{agent_id}/template-messages', {
    summary: 'Send a message made from a template',
    tool: {
      name: 'send_template_message',
      description:
        'Send a text message made from a message template, in the language of the recipient: fill its slots and variables. Protected variables cannot be set.',
    },
    scope: 'sms:send',
    body: TemplateMessageCreate,
    answer: MessageRecord,
    newWork: true,
    // The message is the record.
    audit: false,
    creates: true,
    errors: ['InsufficientBalanceError', 'SuspensionError'],
  }),
  listMessages: route('GET', '/v1/messages', {
    summary: 'List messages, newest first',
    tool: 'List sent and received messages by agent, project, status or direction.',
    scope: 'sms:read',
    query: MessageListQuery,
    answer: MessagePage,
  }),
  getMessage: route('GET', '/v1/messages/{message_id}', {
    summary: 'Read a message',
    tool: 'Read one message: text, status, why it did not arrive, translation.',
    scope: 'sms:read',
    answer: MessageRecord,
  }),
};
