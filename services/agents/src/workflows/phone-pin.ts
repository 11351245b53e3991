import { randomBytes, randomInt, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { limits, type PhonePinArm } from '@parley/contract';
import { endPin, writePin } from './phone-pins.sql';
import { pinView } from './phone-pin.rules';
import { draftOf } from './workflow.rules';
import type { Dependencies, Workspace } from '../agents';
import { changeWorkflow, type WorkflowRequest } from './workflow-transaction';

/** Slow, so that the digits of a stolen digest are not found at once. */
export const digestOf = promisify<string, Buffer, number, Buffer>(scrypt);
const digits = 6;

/**
 * POST /v1/agents/{agent_id}/workflow/phone-pin, as JSON text with the digits, which are shown this once and kept as a slow salted
 * digest. Arming again ends the PIN before. 409 ConflictError without a draft to reach.
 */
export async function armPhonePin(dependencies: Dependencies, request: WorkflowRequest<PhonePinArm>): Promise<string> {
  const pin = String(randomInt(10 ** digits)).padStart(digits, '0');
  const salt = randomBytes(16);
  const digest = await digestOf(pin, salt, 32);
  return changeWorkflow(dependencies, request, 'workflow.phone_pin_armed', async (tx, { workflow, now }, body) => {
    draftOf(workflow);
    const seconds = body.expires_in_seconds ?? limits.phonePinSecondsDefault;
    const stored = await writePin(tx, workflow.organizationId, workflow.agentId, { digest, salt, seconds });
    return JSON.stringify(pinView(workflow.agentId, stored, now, pin));
  });
}

/** POST .../phone-pin/disarm: ends the PIN; without one nothing changes. Safe to repeat. */
export function disarmPhonePin(dependencies: Dependencies, request: WorkflowRequest<Workspace>): Promise<string> {
  return changeWorkflow(dependencies, request, 'workflow.phone_pin_disarmed', async (tx, { workflow, now }) => {
    const stored = await endPin(tx, workflow.organizationId, workflow.agentId);
    return JSON.stringify(pinView(workflow.agentId, stored, now));
  });
}
