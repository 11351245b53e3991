import {
  browserCarrier,
  callVariables,
  needsOnLine,
  simulatedComponents,
  testCallTokenSeconds,
  type Blocker,
  type TestCall,
  type TestCallCreate,
  type VariablesConfig,
} from '@parley/contract';
import { badRequest, conflict, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import {
  auditEvent,
  creating,
  recall,
  type CreatingRequest,
  type PublicResult,
  type Remembered,
} from '@parley/service';
import { isId, jsonOf, newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { appendCallEvents, databaseNow, insertCall, type Call, callEvent, callOfAgent } from '../calls';
import { insertAdoptableJob, adoptionTokenHash, newAdoptionToken } from '../queue';
import { lockState, markReserved, takeRoom, openedState, refuseSuspended } from '../organizations';
import { admitTurn } from './admit-turn.rules';
import { spokenLanguages } from './call-language.rules';
import { admissionError } from './admission-error';
import type { AskedAgent } from './agent-questions';
import { needsOfAgent, refuseBlockers, whyNotRunnable } from '../workers';
import type { Telephony } from '../telephony';

export interface CreateTestCallInput {
  /** Empty for an operator who named none: the agent's. */
  readonly organizationId: string;
  readonly agentId: string;
  /** Validates the fields. */
  readonly body: () => TestCallCreate;
  readonly request: (organizationId: string) => CreatingRequest;
}

const audio: TestCall['audio'] = { encoding: 'pcm_s16le', sample_rate: 16_000, channels: 1 };

/**
 * Makes a call that waits for a person to connect from a browser (ADR 56). It is live from now on: it takes its place under the caps and holds what it
 * may cost. No number is called, so that outbound policy says nothing.
 * @throws NotFoundError, BadRequestError, ConflictError for an inactive agent, SuspensionError, InsufficientBalanceError, realtime_config_not_runnable
 */
export async function createTestCall(
  telephony: Telephony,
  input: CreateTestCallInput,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { db, admission, controls } = telephony;
  const { organizationId: named, agentId } = input;
  if (!isId('agt', agentId)) throw notFound('agent');
  const early = named === '' ? undefined : await recall(db, input.request(named));
  if (early !== undefined) return replayOf(early);
  const asked = await admission.ask(named, agentId, context);
  const { agent } = asked;
  const { organizationId } = agent;
  const request = input.request(organizationId);
  const known = named === '' ? await recall(db, request) : undefined;
  if (known !== undefined) return replayOf(known);
  const body = input.body();
  if (agent.status === 'inactive') throw conflict('the agent is inactive');
  await refuseSuspended(controls, agent);
  const wanted = await pinned(telephony, asked, body, context);
  const url = telephony.settings.mediaPublicUrl;
  refuseBlockers([...agent.blockers, ...(await whyNotConnected(telephony, organizationId, wanted.needs))]);
  if (url === undefined) throw new Error('there is no media address, and nothing was refused for it');
  await openedState(telephony, organizationId);
  const token = newAdoptionToken();
  const { value, remembered } = await creating(
    db,
    request,
    async (tx) => {
      const { call, adoptBefore } = await writeTestCall(tx, telephony, { asked, wanted, token }, context);
      const answer: TestCall = {
        call_id: call.callId,
        websocket_url: `${url.replace(/\/+$/, '')}/${browserCarrier}`,
        expires_at: adoptBefore.toISOString(),
        audio,
      };
      // The token is in the first answer alone.
      return { status: 201, body: JSON.stringify(answer), recordId: call.callId, value: { ...answer, token } };
    },
    { recalled: true },
  );
  if (value === undefined) return replayOf(remembered);
  telephony.committed(false);
  return { body: value };
}

const replayOf = ({ body }: Remembered): PublicResult => ({ body, replayed: true });

type Wanted = Pick<Call, 'needs' | 'language' | 'variables' | 'componentsSimulated'>;

/** @throws BadRequestError for a language that the agent does not speak, and for variables that it does not take */
async function pinned(
  telephony: Telephony,
  asked: AskedAgent,
  body: TestCallCreate,
  context: OutgoingContext,
): Promise<Wanted> {
  const { agent } = asked;
  const needs = needsOnLine(await needsOfAgent(telephony, asked, body.language, context), browserCarrier);
  if (body.language !== undefined && agent.publicationSha256 !== '') {
    const facts = await telephony.publications.factsOf(agent.organizationId, agent.publicationSha256, context);
    if (!spokenLanguages(facts).speaks(body.language)) {
      throw badRequest(`language: the agent does not speak ${body.language}`);
    }
  }
  const given = body.variables ?? {};
  const variables =
    agent.variables === undefined ? given : callVariables(jsonOf<VariablesConfig>(agent.variables), given);
  return {
    needs,
    language: body.language ?? agent.language,
    variables: JSON.stringify(variables),
    componentsSimulated: simulatedComponents(needs),
  };
}

/** Hosted workers conduct test calls, or the organization's own: one that covers the needs is enough. */
async function whyNotConnected(
  telephony: Telephony,
  organizationId: string,
  needs: readonly string[],
): Promise<Blocker[]> {
  const byHosted = await whyNotRunnable(telephony, organizationId, 'hosted', needs);
  const byOwn = byHosted.length === 0 ? [] : await whyNotRunnable(telephony, organizationId, 'own', needs);
  const blockers = byOwn.length < byHosted.length ? byOwn : byHosted;
  if (telephony.settings.mediaPublicUrl !== undefined) return blockers;
  const detail = 'the platform has no public media address';
  return [...blockers, { code: 'address_missing', scope: 'address', detail }];
}

interface Written {
  readonly call: Call;
  readonly adoptBefore: Date;
}

async function writeTestCall(
  tx: Queryable,
  { settings }: Telephony,
  { asked, wanted, token }: { readonly asked: AskedAgent; readonly wanted: Wanted; readonly token: string },
  context: OutgoingContext,
): Promise<Written> {
  const { agent, holdMicros } = asked;
  const { organizationId, agentId } = agent;
  const at = await databaseNow(tx);
  const given = { direction: 'inbound', channel: 'browser', from: '', to: '', status: 'dialing' } as const;
  const locked = await lockState(tx, organizationId);
  if (locked === undefined) throw new Error('the hot row was not opened');
  const made = { ...callOfAgent(agent, given, at), ...wanted };
  const asking = { suppressed: false, holdMicros, policy: made.policy, incoming: true, started: true };
  const { decisions, change } = admitTurn(locked.state, [asking], locked.now, 0);
  const [decision] = decisions;
  if (decision === undefined) throw new Error('a test call was not decided');
  if (!decision.admitted) {
    throw admissionError(decision.refusal, locked.state.drainPerSecond, settings.queueFullRetrySeconds);
  }
  await takeRoom(tx, organizationId, change);
  const call: Call = { ...made, holdMicros, holdDay: change.spendDay };
  const { callId } = call;
  await insertCall(tx, organizationId, call);
  const created = callEvent(newId('evt'), { call, event: 'call.created' }, at);
  await appendCallEvents(tx, organizationId, callId, [created], context.traceparent);
  const adoptBefore = new Date(at.getTime() + testCallTokenSeconds * 1000);
  const tokenHash = adoptionTokenHash(token);
  await insertAdoptableJob(tx, { jobId: newId('job'), organizationId, callId, agentId, tokenHash, adoptBefore });
  await markReserved(tx, organizationId, callId);
  const act = { organizationId, action: 'test_call.created', subject: callId, detail: { agent_id: agentId } };
  await append(tx, [auditEvent(act, at, context)]);
  return { call, adoptBefore };
}
