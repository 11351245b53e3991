import { createHash, timingSafeEqual } from 'node:crypto';
import { canonicalJson, type WorkflowDefinition } from '@parley/contract';
import { badRequest, notFound } from '@parley/errors';
import { findWorkspaceId, type Dependencies } from '../agents';
import { digestOf } from './phone-pin';
import { findPin } from './phone-pins.sql';
import { draftView } from './workflow.rules';
import { findWorkflow } from './workflows.sql';

/** Takes as long as a real check, so that timing does not reveal that no PIN is armed. */
const nothing = { digest: Buffer.alloc(32), salt: Buffer.alloc(16) };

export interface OpenedDraft {
  /** Whether a PIN is armed for a draft that can run. */
  readonly armed: boolean;
  /** The draft as calls carry a workflow, as JSON, with version 0. Undefined: this is not the PIN that is armed now, or the draft cannot run. */
  readonly workflow?: string;
}

/**
 * Opens an agent's draft by its PIN; an empty PIN only queries whether one is armed.
 * @throws NotFoundError if the agent is absent or foreign
 */
export async function openDraft(
  { db }: Dependencies,
  { organizationId, agentId, pin }: { readonly organizationId: string; readonly agentId: string; readonly pin: string },
): Promise<OpenedDraft> {
  const found = await findWorkflow(db, await findWorkspaceId(db, organizationId, agentId), agentId);
  if (found === undefined) throw notFound('agent');
  const armed = await findPin(db, found.workflow.organizationId, agentId);
  const draft = draftView(found.workflow);
  const isArmed = armed !== undefined && draft?.validation.valid === true;
  if (pin === '') return { armed: isArmed };
  const { digest, salt } = armed ?? nothing;
  const isRight = timingSafeEqual(await digestOf(pin, salt, digest.length), digest);
  if (!isArmed || !isRight) return { armed: isArmed };
  return { armed: true, workflow: asCallsCarryIt(draft.draft) };
}

const asCallsCarryIt = (draft: WorkflowDefinition): string => {
  const sha256 = createHash('sha256').update(canonicalJson(draft)).digest('hex');
  return `{"version":0,"sha256":"${sha256}","definition":${JSON.stringify(draft)}}`;
};

/**
 * The draft of an agent as calls carry a workflow; undefined where there is none.
 * @throws AppError NotFoundError without the agent; BadRequestError for a draft that cannot run
 */
export async function draftOfAgent(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  agentId: string,
): Promise<string | undefined> {
  const found = await findWorkflow(db, organizationId, agentId);
  if (found === undefined) throw notFound('agent');
  const draft = draftView(found.workflow);
  if (draft?.validation.valid === false) throw badRequest('the draft of the workflow cannot run: it has faults');
  return draft && asCallsCarryIt(draft.draft);
}
