import {
  browserCarrier,
  needsOnLine,
  testCallTokenSeconds,
  type TestCall,
  type TestCallCreate,
} from '@parley/contract';
import { conflict, notFound } from '@parley/errors';
import {
  creating,
  findStoredResponse,
  type CreatingRequest,
  type PublicResult,
  type StoredResponse,
} from '@parley/service';
import { isId, type OutgoingContext } from '@parley/runtime';
import { adoptionTokenHash, newAdoptionToken, loadOrCreateState, refuseSuspended } from '../../books';
import { refuseBlockers, whyNoBrowser } from '../../dispatch';
import { resolveRequest, writeAdoptableCall, type VisitorRules } from './adoptable-call';
import type { Intake } from './admission-batches';
import type { Network } from '../../network';
import type { Telephony } from '../../telephony';

type Needs = Pick<
  Telephony,
  'db' | 'controls' | 'workers' | 'publications' | 'settings' | 'vault' | 'openOrganization' | 'onCommit'
> &
  Pick<Network, 'sip'> &
  Intake;

export interface CreateTestCallInput {
  /** Empty for an operator that specified no organization: the agent's organization applies. */
  readonly organizationId: string;
  readonly agentId: string;
  /** Validates the fields. */
  readonly body: () => TestCallCreate;
  readonly request: (organizationId: string) => CreatingRequest;
  readonly visitor?: VisitorRules;
}

const audio: TestCall['audio'] = { encoding: 'pcm_s16le', sample_rate: 16_000, channels: 1 };

/**
 * Creates a call that waits for a person to connect from a browser (ADR 56). It is live from now on: it counts toward the caps, and its maximum cost is
 * reserved. Outbound policy does not apply, because no number is called.
 * @throws NotFoundError, BadRequestError, ConflictError for an inactive agent, SuspensionError, InsufficientBalanceError, realtime_config_not_runnable
 */
export async function createTestCall(
  telephony: Needs,
  input: CreateTestCallInput,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { db, admission, controls } = telephony;
  const { organizationId: named, agentId } = input;
  if (!isId('agt', agentId)) throw notFound('agent');
  const early = named === '' ? undefined : await findStoredResponse(db, input.request(named));
  if (early !== undefined) return replayOf(early);
  const agentSnapshot = await admission.ask(named, agentId, context);
  const { agent } = agentSnapshot;
  const { organizationId } = agent;
  const request = input.request(organizationId);
  const known = named === '' ? await findStoredResponse(db, request) : undefined;
  if (known !== undefined) return replayOf(known);
  const body = input.body();
  if (agent.status === 'inactive') throw conflict('the agent is inactive');
  await refuseSuspended(controls, agent);
  const wanted = await resolveRequest(
    telephony,
    agentSnapshot,
    body,
    (needs) => needsOnLine(needs, browserCarrier),
    context,
  );
  const url = telephony.settings.mediaPublicUrl;
  refuseBlockers([...agent.blockers, ...(await whyNoBrowser(telephony, organizationId, wanted.needs))]);
  if (url === undefined) throw new Error('there is no media address, but the request was not refused');
  await loadOrCreateState(telephony, organizationId);
  const token = newAdoptionToken(telephony.vault);
  const { value, stored } = await creating(
    db,
    request,
    async (tx) => {
      const given = { channel: 'browser', tokenHash: adoptionTokenHash(token), seconds: testCallTokenSeconds } as const;
      const writing = { agentSnapshot, wanted, ...given, action: 'test_call.created' };
      const { call, adoptBefore } = await writeAdoptableCall(tx, telephony, writing, context);
      await input.visitor?.admit(tx, call);
      const answer: TestCall = {
        call_id: call.callId,
        websocket_url: `${url.replace(/\/+$/, '')}/${browserCarrier}`,
        expires_at: adoptBefore.toISOString(),
        audio,
      };
      // Only the first response contains the token; replays do not.
      return { status: 201, body: JSON.stringify(answer), recordId: call.callId, value: { ...answer, token } };
    },
    { recalled: true },
  );
  if (value === undefined) return replayOf(stored);
  telephony.onCommit(false);
  return { body: value };
}

const replayOf = ({ body }: StoredResponse): PublicResult => ({ body, replayed: true });
