import { createHash, timingSafeEqual } from 'node:crypto';
import { canonicalJson, type WorkflowDefinition } from '@parley/contract';
import { badRequest, notFound } from '@parley/errors';
import { findWorkspaceId, type Dependencies } from '../agents';
import { digestOf } from './phone-pin';
import { findPin } from './phone-pins.sql';
import { draftView } from './workflow.rules';
import { findWorkflow } from './workflows.sql';

/** Compared if no PIN is armed, so that the response takes as long as a real check and timing does not reveal it. */
const nothing = { digest: Buffer.alloc(32), salt: Buffer.alloc(16) };

export interface OpenedDraft {
  /** Whether a PIN is armed for a draft that can run. */
  readonly armed: boolean;
  /** The draft as JSON in the form of a call's workflow, with version 0. Undefined if this is not the currently armed PIN, or the draft is not valid. */
  readonly workflow?: string;
}

/**
 * Returns an agent's draft if the PIN is correct. With an empty PIN, only returns whether one is armed.
 * @throws NotFoundError if the agent does not exist or belongs to another organization
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
 * The draft of an agent in the form of a call's workflow; undefined if there is none.
 * @throws AppError NotFoundError if there is no such agent; BadRequestError if the draft is not valid
 */
export async function draftOfAgent(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  agentId: string,
): Promise<string | undefined> {
  const found = await findWorkflow(db, organizationId, agentId);
  if (found === undefined) throw notFound('agent');
  const draft = draftView(found.workflow);
  if (draft?.validation.valid === false) throw badRequest('the draft of the workflow cannot run: it has errors');
  return draft && asCallsCarryIt(draft.draft);
}
