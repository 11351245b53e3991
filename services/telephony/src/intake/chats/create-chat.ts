import { chatConnectSeconds, needsOfChat, type ChatSessionCreate } from '@parley/contract';
import { conflict, notFound } from '@parley/errors';
import { creating, findStoredResponse, type CreatingRequest, type PublicResult } from '@parley/service';
import { isId, type CallContext } from '@parley/runtime';
import { resolveRequest, writeAdoptableCall, type VisitorRules } from '../admission/adoptable-call';
import { refuseBlockers, whyNoChat } from '../../dispatch';
import { loadOrCreateState, refuseSuspended, noAdoptionToken } from '../../books';
import { firstWords } from './first-words';
import type { Intake } from '../admission/admission-batches';
import type { Network } from '../../network';
import type { Telephony } from '../../telephony';

export interface CreateChatInput {
  /** Empty for an operator that specified no organization: the agent's organization applies. */
  readonly organizationId: string;
  readonly agentId: string;
  /** Validates the fields. */
  readonly body: () => ChatSessionCreate;
  readonly request: (organizationId: string) => CreatingRequest;
  /** Absent: a chat of a user with a key, which inactive agents have too. */
  readonly visitor?: VisitorRules;
}

/**
 * Starts a chat and waits for the agent's first message (ADR 120). Inactive agents can chat too, so that they can be tested before activation.
 * @throws AppError NotFoundError, BadRequestError, SuspensionError, InsufficientBalanceError, realtime_config_not_runnable; worker_unreachable if no worker
 * took the chat in time, in which case it ends
 */
export async function createChat(
  telephony: Pick<
    Telephony,
    'db' | 'controls' | 'workers' | 'publications' | 'signals' | 'settings' | 'openOrganization' | 'onCommit'
  > &
    Pick<Network, 'sip'> &
    Intake,
  { organizationId: named, agentId, body: read, request: requestOf, visitor }: CreateChatInput,
  context: CallContext,
): Promise<PublicResult> {
  const { db, admission, controls } = telephony;
  if (!isId('agt', agentId)) throw notFound('agent');
  const shown = async (organizationId: string, callId: string, replayed: boolean): Promise<PublicResult> => ({
    body: await firstWords(telephony, { organizationId, callId, fresh: !replayed }, context.signal),
    replayed,
  });
  const early = named === '' ? undefined : await findStoredResponse(db, requestOf(named));
  if (early !== undefined) return shown(named, early.recordId ?? '', true);
  const agentSnapshot = await admission.ask(named, agentId, context);
  const { agent } = agentSnapshot;
  const { organizationId } = agent;
  const request = requestOf(organizationId);
  const known = named === '' ? await findStoredResponse(db, request) : undefined;
  if (known !== undefined) return shown(organizationId, known.recordId ?? '', true);
  if (visitor !== undefined && agent.status === 'inactive') throw conflict('the agent is inactive');
  const wanted = await resolveRequest(telephony, agentSnapshot, read(), needsOfChat, context);
  await refuseSuspended(controls, agent);
  refuseBlockers([...agent.blockers, ...(await whyNoChat(telephony, organizationId, wanted.needs))]);
  await loadOrCreateState(telephony, organizationId);
  const { value, stored } = await creating(
    db,
    request,
    async (tx) => {
      // A worker claims the chat without this token, so it is never given to a client.
      const tokenHash = noAdoptionToken();
      const given = {
        channel: 'chat',
        tokenHash,
        seconds: chatConnectSeconds,
        action: 'chat_session.created',
      } as const;
      const { call } = await writeAdoptableCall(tx, telephony, { agentSnapshot, wanted, ...given }, context);
      await visitor?.admit(tx, call);
      return { status: 201, body: '{}', recordId: call.callId, value: call.callId };
    },
    { recalled: true },
  );
  telephony.onCommit(true);
  return shown(organizationId, value ?? stored?.recordId ?? '', value === undefined);
}
