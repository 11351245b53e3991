import { ChatSession, ChatSessionCreate, ChatSessionRecord, ChatTurn, ChatTurnCreate } from '../objects/chat';
import { routesOf } from './define';

const route = routesOf('telephony');

export const chatRoutes = {
  createChatSession: route('POST', '/v1/agents/{agent_id}/chat-sessions', {
    summary: 'Begin a chat with an agent',
    tool: {
      name: 'start_chat',
      description:
        'Begin a chat with an agent, which may be inactive, and read what it says first. It costs what a call costs until end_chat or ten minutes without a turn.',
    },
    scope: 'calls:write',
    body: ChatSessionCreate,
    answer: ChatSession,
    newWork: true,
    audit: 'chat_session.created',
    creates: true,
    waits: true,
    errors: ['realtime_config_not_runnable', 'InsufficientBalanceError', 'SuspensionError', 'worker_unreachable'],
  }),
  takeChatTurn: route('POST', '/v1/chat-sessions/{chat_session_id}/turns', {
    summary: 'Write to the agent of a chat',
    tool: {
      name: 'write_in_chat',
      description: 'Write a turn to the agent of a chat, and read its reply and the tools that it called.',
    },
    scope: 'calls:write',
    body: ChatTurnCreate,
    answer: ChatTurn,
    newWork: true,
    // The transcript is the record.
    audit: false,
    creates: true,
    waits: true,
    eventStream: true,
    errors: ['ConflictError', 'SuspensionError', 'control_unavailable', 'worker_unreachable'],
  }),
  getChatSession: route('GET', '/v1/chat-sessions/{chat_session_id}', {
    summary: 'Read a chat: its turns, why it ended, what it cost',
    tool: { name: 'get_chat', description: 'Read a chat: its turns, why it ended, what it cost.' },
    scope: 'recordings:read',
    answer: ChatSessionRecord,
    etag: false,
  }),
  endChatSession: route('POST', '/v1/chat-sessions/{chat_session_id}/end', {
    summary: 'End a chat',
    tool: { name: 'end_chat', description: 'End a chat. It is charged, and its transcript can be read.' },
    scope: 'calls:write',
    answer: ChatSessionRecord,
    newWork: false,
    // The call and its events are the record.
    audit: false,
    waits: true,
    errors: ['ConflictError', 'control_unavailable', 'worker_unreachable'],
  }),
};
