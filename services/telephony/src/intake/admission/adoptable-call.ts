import { callVariables, simulatedComponents, type TestCallCreate, type VariablesConfig } from '@parley/contract';
import { badRequest } from '@parley/errors';
import { append } from '@parley/outbox';
import { auditEvent } from '@parley/service';
import { databaseNow, jsonOf, type OutgoingContext, type Queryable } from '@parley/runtime';
import { type Call, callOfAgent, lockCounters, startCall } from '../../books';
import { needsOfAgent, type AgentSnapshot } from '../../dispatch';
import { admitBatch } from './admit-batch.rules';
import { spokenLanguages } from './call-language.rules';
import { admissionError } from './admission-error';
import type { Telephony } from '../../telephony';

/** A call that is not dialed: a worker adopts it while a user waits. */
export type Wanted = Pick<Call, 'needs' | 'language' | 'variables' | 'componentsSimulated'>;

/** @throws BadRequestError for a language that the agent does not support, and for variables that it does not declare */
export async function resolveRequest(
  telephony: Pick<Telephony, 'publications'>,
  agentSnapshot: AgentSnapshot,
  body: TestCallCreate,
  needsHere: (needs: readonly string[]) => string[],
  context: OutgoingContext,
): Promise<Wanted> {
  const { agent } = agentSnapshot;
  const needs = needsHere(await needsOfAgent(telephony, agentSnapshot, body.language, context));
  if (body.language !== undefined && agent.publicationSha256 !== '') {
    const facts = await telephony.publications.loadFacts(agent.organizationId, agent.publicationSha256, context);
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

/** A conversation of a visitor instead of a user with a key: not with inactive agents, and within the limits of its link. */
export interface VisitorRules {
  /**
   * Runs in the transaction that writes the call.
   * @throws AppError if a limit refuses the call
   */
  readonly admit: (tx: Queryable, call: Call) => Promise<void>;
}

interface Writing {
  readonly agentSnapshot: AgentSnapshot;
  readonly wanted: Wanted;
  readonly channel: 'browser' | 'chat';
  /** SHA-256 of its adoption token. */
  readonly tokenHash: Buffer;
  /** How long the call waits for its worker. */
  readonly seconds: number;
  /** The action in the audit log. */
  readonly action: string;
}

interface Written {
  readonly call: Call;
  readonly adoptBefore: Date;
}

/** The call is live as soon as it is written: it counts toward the caps, and its maximum cost is reserved. */
export async function writeAdoptableCall(
  tx: Queryable,
  { settings }: Pick<Telephony, 'settings'>,
  { agentSnapshot, wanted, channel, tokenHash, seconds, action }: Writing,
  context: OutgoingContext,
): Promise<Written> {
  const { agent, holdMicros } = agentSnapshot;
  const { organizationId, agentId } = agent;
  const at = await databaseNow(tx);
  const given = { direction: 'inbound', channel, from: '', to: '', status: 'dialing' } as const;
  const locked = await lockCounters(tx, organizationId);
  if (locked === undefined) throw new Error('the counter row was not opened');
  const made = { ...callOfAgent(agent, given, at), ...wanted, ...(channel === 'chat' && { recordingEnabled: false }) };
  const asking = { suppressed: false, holdMicros, policy: made.policy, incoming: true, started: true };
  const { decisions, change } = admitBatch(locked.state, [asking], locked.now, 0);
  const [decision] = decisions;
  if (decision === undefined) throw new Error('a call was not decided');
  if (!decision.admitted) {
    throw admissionError(decision.refusal, locked.state.drainPerSecond, settings.queueFullRetrySeconds);
  }
  const call: Call = { ...made, holdMicros, holdDay: change.spendDay };
  const { callId } = call;
  const adoptBefore = new Date(at.getTime() + seconds * 1000);
  await startCall(tx, { call, at, change, job: { tokenHash, adoptBefore } }, context.traceparent);
  const act = { organizationId, action, subject: callId, detail: { agent_id: agentId } };
  await append(tx, [auditEvent(act, at, context)]);
  return { call, adoptBefore };
}
