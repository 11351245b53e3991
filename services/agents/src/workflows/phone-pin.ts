import { randomBytes, randomInt, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { limits, type PhonePinArm } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { endPin, writePin } from './phone-pins.sql';
import { pinView } from './phone-pin.rules';
import { draftOf } from './workflow.rules';
import type { Dependencies, Workspace } from '../agents';
import { changeWorkflow, type WorkflowRequest } from './workflow-transaction';

/** A slow hash: it makes it expensive to find the digits of a stolen digest. */
export const digestOf = promisify<string, Buffer, number, Buffer>(scrypt);
const digits = 6;

/**
 * POST /v1/agents/{agent_id}/workflow/phone-pin: returns JSON text with the digits, only in this response. They are stored as a salted digest of a slow hash.
 * Arming again ends the previous PIN.
 * @throws 409 ConflictError if there is no draft
 */
export async function armPhonePin(
  dependencies: Dependencies,
  request: WorkflowRequest<PhonePinArm>,
  context: OutgoingContext,
): Promise<string> {
  const pin = String(randomInt(10 ** digits)).padStart(digits, '0');
  const salt = randomBytes(16);
  const digest = await digestOf(pin, salt, 32);
  return endingDraftCalls(
    dependencies,
    await changeWorkflow(dependencies, request, 'workflow.phone_pin_armed', async (tx, { workflow, now }, body) => {
      draftOf(workflow);
      const seconds = body.expires_in_seconds ?? limits.phonePinSecondsDefault;
      const stored = await writePin(tx, workflow.organizationId, workflow.agentId, { digest, salt, seconds });
      return { workflow, answer: JSON.stringify(pinView(workflow.agentId, stored, now, pin)) };
    }),
    context,
  );
}

/** POST .../phone-pin/disarm: ends the PIN, and the calls that were admitted with it. Without an armed PIN nothing changes, so the request can be repeated. */
export async function disarmPhonePin(
  dependencies: Dependencies,
  request: WorkflowRequest<Workspace>,
  context: OutgoingContext,
): Promise<string> {
  return endingDraftCalls(
    dependencies,
    await changeWorkflow(dependencies, request, 'workflow.phone_pin_disarmed', async (tx, { workflow, now }) => {
      const stored = await endPin(tx, workflow.organizationId, workflow.agentId);
      return { workflow, answer: JSON.stringify(pinView(workflow.agentId, stored, now)) };
    }),
    context,
  );
}

interface Ended {
  readonly workflow: { readonly organizationId: string; readonly agentId: string };
  readonly answer: string;
}

/**
 * Calls that use a draft end together with the PIN that admitted them. The PIN is disarmed first, so that no further call is admitted. If telephony is
 * unavailable the request fails and can be repeated.
 */
async function endingDraftCalls(
  { calls }: Pick<Dependencies, 'calls'>,
  { workflow: { organizationId, agentId }, answer }: Ended,
  context: OutgoingContext,
): Promise<string> {
  await calls.endOfDraft(organizationId, agentId, context);
  return answer;
}
