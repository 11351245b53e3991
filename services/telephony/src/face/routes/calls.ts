import type { PublicResult } from '@parley/service';
import {
  type Call,
  callEtag,
  renderCall,
  getCall,
  getInputLog,
  getTranscript,
  listCallEventPage,
  listCallPage,
  readCallAnalytics,
  readUsage,
} from '../../books';
import {
  cancelCall,
  createCall,
  createTestCall,
  createTrialCall,
  placerOf,
  resolveReview,
  createChat,
  endChat,
  getChat,
  takeChatTurn,
  readCoverage,
  closeDemo,
  openDemo,
  readDemo,
} from '../../intake';
import { getCallExtraction } from '../../after';
import { getRecording } from '../../dispatch';
import { creation, group, type WholeTelephony } from './group';

export function callHandlers(telephony: WholeTelephony) {
  const { db } = telephony;
  return group({
    createCall: (call) =>
      createCall(telephony, { ...creation(call), placedBy: placerOf(call.caller) }, () => call.body(), call.context),
    createTrialCall: (call) => createTrialCall(telephony, { ...creation(call), body: () => call.body() }, call.context),
    createTestCall: (call) =>
      createTestCall(
        telephony,
        { ...creation(call), agentId: call.params.agent_id, body: () => call.body() },
        call.context,
      ),
    createChatSession: (call) =>
      createChat(
        telephony,
        { ...creation(call), agentId: call.params.agent_id, body: () => call.body() },
        call.context,
      ),
    async getChatSession(call) {
      return { body: await getChat(telephony, call.organizationId, call.params.chat_session_id) };
    },
    takeChatTurn: (call) =>
      takeChatTurn(
        telephony,
        { ...creation(call), sessionId: call.params.chat_session_id, body: () => call.body() },
        call.context,
      ),
    async endChatSession(call) {
      return { body: await endChat(telephony, call.organizationId, call.params.chat_session_id, call.context) };
    },
    createDemo: (call) =>
      openDemo(telephony, { ...creation(call), agentId: call.params.agent_id, body: () => call.body() }, call.context),
    async getDemo({ organizationId, params, context }) {
      return { body: await readDemo(telephony, { organizationId, agentId: params.agent_id }, context) };
    },
    async deleteDemo({ organizationId, params, context }) {
      return { body: await closeDemo(telephony, { organizationId, agentId: params.agent_id }, context) };
    },
    listCalls: async (call) => ({ body: await listCallPage(db, call.namedOrganizationId, call.query) }),
    getCall: async (call) => callResult(await getCall(db, call.organizationId, call.params.call_id)),
    getCallAnalytics: async (call) => ({
      body: await readCallAnalytics(telephony, call.namedOrganizationId, call.query),
    }),
    getUsage: async (call) => ({ body: await readUsage(telephony, call.namedOrganizationId, call.query) }),
    getCoverage: async (call) => ({ body: await readCoverage(telephony, call.namedOrganizationId) }),
    cancelCall: async (call) =>
      callResult(await cancelCall(telephony, call.organizationId, call.params.call_id, call.context)),
    listCallEvents: async (call) => ({
      body: await listCallEventPage(db, call.organizationId, call.params.call_id, call.query),
    }),
    getTranscript: (call) => getTranscript(db, call.organizationId, call.params.call_id),
    getCallExtraction: (call) => getCallExtraction(db, call.organizationId, call.params.call_id),
    getInputLog: (call) => getInputLog(db, call.organizationId, call.params.call_id),
    getRecording: (call) => getRecording(telephony, call.organizationId, call.params.call_id),
    async resolveReview(call) {
      const { call_id: callId } = call.params;
      return callResult(await resolveReview(telephony, call.organizationId, callId, () => call.body(), call.context));
    },
  });
}

/** The response of all routes that return a call. */
export const callResult = (call: Call): PublicResult => ({ body: renderCall(call), etag: callEtag(call) });
