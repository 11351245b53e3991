import { createHash, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '@parley/contract';
import { notFound } from '@parley/errors';
import { workspaceOf, type Dependencies } from '../agents';
import { digestOf } from './phone-pin';
import { findPin } from './phone-pins.sql';
import { draftView } from './workflow.rules';
import { findWorkflow } from './workflows.sql';

/** So that a wrong PIN takes as long where none is armed. */
const nothing = { digest: Buffer.alloc(32), salt: Buffer.alloc(16) };

/**
 * The draft as calls carry a workflow, as JSON, with version 0. Undefined: this is not the PIN that is armed now, or the draft cannot run.
 * @throws NotFoundError where the agent is absent or foreign
 */
export async function openDraft(
  { db }: Dependencies,
  { organizationId, agentId, pin }: { readonly organizationId: string; readonly agentId: string; readonly pin: string },
): Promise<string | undefined> {
  const found = await findWorkflow(db, await workspaceOf(db, organizationId, agentId), agentId);
  if (found === undefined) throw notFound('agent');
  const armed = await findPin(db, found.workflow.organizationId, agentId);
  const { digest, salt } = armed ?? nothing;
  const isRight = timingSafeEqual(await digestOf(pin, salt, digest.length), digest);
  const draft = draftView(found.workflow);
  if (armed === undefined || !isRight || draft?.validation.valid !== true) return undefined;
  const definition = JSON.stringify(draft.draft);
  const sha256 = createHash('sha256').update(canonicalJson(draft.draft)).digest('hex');
  return `{"version":0,"sha256":"${sha256}","definition":${definition}}`;
}
