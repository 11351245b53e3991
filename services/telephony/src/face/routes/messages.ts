import {
  messageEtag,
  renderMessage,
  createMessage,
  createTemplateMessage,
  getMessage,
  listMessagePage,
} from '../../messages';
import { creation, group, type WholeTelephony } from './group';

export function messageHandlers(telephony: WholeTelephony) {
  const { db } = telephony;
  return group({
    createMessage: (call) => createMessage(telephony, { ...creation(call), body: () => call.body() }, call.context),
    createTemplateMessage(call) {
      const input = { ...creation(call), agentId: call.params.agent_id, body: () => call.body() };
      return createTemplateMessage(telephony, input, call.context);
    },
    listMessages: async (call) => ({ body: await listMessagePage(db, call.namedOrganizationId, call.query) }),
    async getMessage(call) {
      const message = await getMessage(db, call.organizationId, call.params.message_id);
      return { body: renderMessage(message), etag: messageEtag(message) };
    },
  });
}
