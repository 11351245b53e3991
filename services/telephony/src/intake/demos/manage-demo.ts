import { demoKinds, limits, type Demo, type DemoCreate } from '@parley/contract';
import { AppError, conflict, invalidField, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { auditEvent, creating, findStoredResponse, type CreatingRequest, type PublicResult } from '@parley/service';
import { databaseNow, isId, type OutgoingContext, type Queryable } from '@parley/runtime';
import type { AgentSnapshot } from '../../dispatch';
import { refuseSuspended } from '../../books';
import type { Intake } from '../admission/admission-batches';
import type { Telephony } from '../../telephony';
import { demoTokenHash, newDemoToken, renderDemo } from './demo.rules';
import { deleteDemo, findDemo, replaceDemo, type NewDemo } from './demos.sql';

type Needs = Pick<Telephony, 'db' | 'controls'> & Intake;

const dayMs = 86_400_000;

interface OfAgent {
  /** Empty for an operator that specified no organization: the agent's organization applies. */
  readonly organizationId: string;
  readonly agentId: string;
}

export interface OpenDemoInput extends OfAgent {
  /** Validates the fields. */
  readonly body: () => DemoCreate;
  readonly request: (organizationId: string) => CreatingRequest;
}

/** @throws AppError NotFoundError if the caller cannot read the agent */
async function askAgent(telephony: Intake, of: OfAgent, context: OutgoingContext): Promise<AgentSnapshot> {
  if (!isId('agt', of.agentId)) throw notFound('agent');
  return telephony.admission.ask(of.organizationId, of.agentId, context);
}

/**
 * Opens an agent to the public and returns the link's token, which is returned only once. The link before it is revoked.
 * @throws AppError NotFoundError, BadRequestError, ConflictError for an inactive agent, SuspensionError
 */
export async function openDemo(
  telephony: Needs,
  input: OpenDemoInput,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { db, controls } = telephony;
  const { agent, holdMicros } = await askAgent(telephony, input, context);
  const { organizationId, agentId } = agent;
  const request = input.request(organizationId);
  const known = await findStoredResponse(db, request);
  if (known !== undefined) return { body: known.body, replayed: true };
  const body = input.body();
  if (agent.status === 'inactive') throw conflict('the agent is inactive');
  await refuseSuspended(controls, agent);
  const token = newDemoToken();
  const { value, stored } = await creating(
    db,
    request,
    async (tx) => {
      const at = await databaseNow(tx);
      const demo = { organizationId, agentId, tokenHash: demoTokenHash(token), ...settingsOf(body, holdMicros, at) };
      await replaceDemo(tx, demo);
      const answer = renderDemo((await existing(tx, organizationId, agentId)).demo);
      const { kinds, expires_at, daily_limit, address_limit, spend_cap_micros } = answer;
      const detail = { kinds, expires_at, daily_limit, address_limit, spend_cap_micros };
      await append(tx, [auditEvent({ organizationId, action: 'demo.opened', subject: agentId, detail }, at, context)]);
      return { status: 201, body: JSON.stringify(answer), value: { ...answer, token } satisfies Demo };
    },
    { recalled: true },
  );
  return value === undefined ? { body: stored.body, replayed: true } : { body: value };
}

type Settings = Omit<NewDemo, 'organizationId' | 'agentId' | 'tokenHash'>;

/** @throws AppError BadRequestError for an end that is past or too far away, and for a spend cap below the cost of one conversation */
function settingsOf(body: DemoCreate, holdMicros: number, at: Date): Settings {
  const { demoDays, demoDailyLimit, demoAddressLimit, demoSpendCapMicros } = limits;
  const { expires_at: named, daily_limit, address_limit, spend_cap_micros: spendCapMicros = demoSpendCapMicros } = body;
  const latest = at.getTime() + demoDays.max * dayMs;
  const expiresAt = named === undefined ? new Date(at.getTime() + demoDays.default * dayMs) : new Date(named);
  if (expiresAt <= at) throw invalidField('expires_at', 'too_small', 'must be in the future');
  if (expiresAt.getTime() > latest)
    throw invalidField('expires_at', 'too_large', `must be within ${demoDays.max} days`);
  if (spendCapMicros < holdMicros)
    throw invalidField(
      'spend_cap_micros',
      'too_small',
      `must be at least ${holdMicros}, the maximum cost of one conversation`,
    );
  return {
    kinds: body.kinds ?? demoKinds,
    expiresAt,
    dailyLimit: daily_limit ?? demoDailyLimit.default,
    addressLimit: address_limit ?? demoAddressLimit.default,
    spendCapMicros,
  };
}

/** @throws AppError NotFoundError if the agent has no demo */
async function existing(db: Queryable, organizationId: string, agentId: string) {
  const found = await findDemo(db, { organizationId, agentId });
  if (found === undefined) throw new AppError('NotFoundError', 'the agent has no demo');
  return found;
}

/** @throws AppError NotFoundError if the agent has no demo */
export async function readDemo(telephony: Needs, of: OfAgent, context: OutgoingContext): Promise<Demo> {
  const { agent } = await askAgent(telephony, of, context);
  return renderDemo((await existing(telephony.db, agent.organizationId, agent.agentId)).demo);
}

/**
 * Revokes the link. Conversations in progress go on; chats of the link accept no more turns.
 * @throws AppError NotFoundError if the agent has no demo
 */
export async function closeDemo(telephony: Needs, of: OfAgent, context: OutgoingContext): Promise<Demo> {
  const { agent } = await askAgent(telephony, of, context);
  const { organizationId, agentId } = agent;
  return telephony.db.transaction(async (tx) => {
    const { demo, now } = await existing(tx, organizationId, agentId);
    await deleteDemo(tx, demo);
    const act = { organizationId, action: 'demo.closed', subject: agentId, detail: {} };
    await append(tx, [auditEvent(act, now, context)]);
    return renderDemo(demo);
  });
}
