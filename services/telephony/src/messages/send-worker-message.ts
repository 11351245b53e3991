import { createHash } from 'node:crypto';
import { canonicalJson, furtherRecipients, otherNumber, type CallTuning, type WorkerMessage } from '@parley/contract';
import { conflict, invalidField } from '@parley/errors';
import { serviceCaller, type CallContext } from '@parley/runtime';
import { sendMessage, type SentAnswer } from './send-message';
import type { Intake } from '../intake';
import type { Messaging } from './message-batches';
import type { Telephony } from '../telephony';
import { lockLease, type LeaseInput } from '../books';

/** The idempotency scope of these requests; the key consists of their call and tool call. */
export const workerMessageRoute = 'send-worker-message';

/**
 * Sends a message of the agent during its call, from the call's own number. It works like POST /v1/messages, but during maintenance too. The lease authorizes
 * it, the call's agent must have the tool send_sms, and the recipient must be the other end of the call or in the settings of the tool, whatever the worker
 * says. @throws AppError
 */
export async function sendWorkerMessage(
  telephony: Pick<Telephony, 'db' | 'controls' | 'settings' | 'onCommit' | 'notifyMessageSender'> & Intake & Messaging,
  input: LeaseInput<WorkerMessage>,
  context: CallContext,
): Promise<SentAnswer> {
  const { call, fields } = await telephony.db.transaction((tx) => lockLease(tx, input));
  const { tools } = JSON.parse(call.tuning) as CallTuning;
  const further = furtherRecipients(tools);
  if (further === undefined) throw conflict('the agent of the call has no tool send_sms');
  if (call.status === 'queued') throw conflict('the call was not dialed');
  const own = call.direction === 'outbound' ? call.from : call.to;
  const other = otherNumber(call);
  const { tool_call_id: toolCallId, body, to = other } = fields;
  if (to === undefined) throw invalidField('to', 'required', 'is required: the call has no number at its other end');
  if (to !== other && !further.includes(to))
    throw invalidField('to', 'not_allowed', 'is neither the other end of the call nor in the settings of send_sms');
  const fingerprint = createHash('sha256').update(canonicalJson({ to, body })).digest();
  const key = createHash('sha256').update(`${call.callId}\n${toolCallId}`).digest('hex');
  const request = (organizationId: string) => ({ organizationId, route: workerMessageRoute, key, fingerprint });
  const sending = {
    agentId: call.agentId,
    to,
    from: own === '' ? undefined : own,
    numberId: undefined,
    purpose: undefined,
    campaignId: undefined,
    templateId: undefined,
    consent: false,
    metadata: { call_id: call.callId, tool_call_id: toolCallId },
    compose: () => Promise.resolve({ text: body, language: undefined }),
  };
  const asking = { ...context, caller: serviceCaller };
  return sendMessage(telephony, { organizationId: call.organizationId, request }, sending, asking);
}
