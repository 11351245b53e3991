import { randomUUID } from 'node:crypto';
import type { Parley, VoiceStackPreview } from '@parley/sdk';
import { Failure } from '../failure.js';
import { note } from '../output.js';
import { describeChange } from './describe.js';
import { readAgents, readLock, writeLock, type AgentFile, type Fields, type Lock, type LockedAgent } from './files.js';
import { bodiesOf, changesBetween, driftOf, type Bodies, type Change, type Planned } from './plan.js';
import { readPlatform } from './read.js';
import { resolved } from './resolve.js';
import { isForeign } from './workflow.js';
import { stepsOf, type Secrets } from './write.js';

interface Inspected extends Planned {
  readonly bodies: Bodies;
  readonly etag: string | null;
}

export interface PlanOptions {
  readonly folder: string;
  readonly environment: string;
  /** The project of new agents. */
  readonly projectId: string | undefined;
}

/** Whether to compare the workflow: if the file has one, or had one when it was last applied. */
const hasWorkflow = ({ fields }: AgentFile, locked: LockedAgent | undefined): boolean =>
  'workflow' in fields || (locked !== undefined && 'workflow' in locked.seen);

async function bodiesFor(parley: Parley, file: AgentFile, changes: readonly Change[]): Promise<Bodies> {
  const bodies = bodiesOf(file, changes);
  return { ...bodies, stack: await resolved(parley, file.slug, bodies.stack) };
}

/** For an agent that does not exist yet: the result of its creation and its first save. */
async function inspectNew(
  parley: Parley,
  file: AgentFile,
  changes: readonly Change[],
  projectId: string | undefined,
): Promise<Inspected> {
  const bodies = await bodiesFor(parley, file, changes);
  const previewed = await parley.agentPreviews.previewAgent({
    body: {
      agent: { ...bodies.agent, mode: modeOf(file) },
      voice_stack: bodies.stack,
      ...(projectId === undefined ? {} : { project_id: projectId }),
    },
  });
  const preview = shownOf(previewed, bodies);
  return { slug: file.slug, agent_id: null, changes, drift: [], preview, before: null, bodies, etag: null };
}

async function inspect(
  parley: Parley,
  file: AgentFile,
  { lock, projectId }: { lock: Lock; projectId: string | undefined },
): Promise<Inspected> {
  const { slug } = file;
  const locked = lock[slug];
  const changes = changesBetween(locked?.applied ?? {}, file.fields);
  if (!locked?.agent_id) return inspectNew(parley, file, changes, projectId);
  const bodies = await bodiesFor(parley, file, changes);
  const { seen, etag, stack, workflow } = await readPlatform(parley, locked.agent_id, hasWorkflow(file, locked));
  const draft: Change[] =
    bodies.workflow !== undefined && workflow !== undefined && isForeign(workflow, bodies.workflow)
      ? [{ field: 'draft of the workflow', from: undefined, to: workflow.draft?.draft }]
      : [];
  const isPreviewed = Object.keys(bodies.stack).length > 0;
  const previewed = isPreviewed
    ? await parley.agents.previewVoiceStack({ path: { agent_id: locked.agent_id }, body: bodies.stack })
    : null;
  return {
    slug,
    agent_id: locked.agent_id,
    changes,
    drift: [...driftOf(locked, seen), ...draft],
    preview: previewed && shownOf(previewed, bodies),
    before: previewed && { cost: stack.cost, latency: stack.latency },
    bodies,
    etag,
  };
}

function shownOf(
  { blockers, publishes, publishable, cost, latency, voice_stack: stack }: VoiceStackPreview,
  { variables }: Bodies,
): NonNullable<Planned['preview']> {
  // Variables are declared after the preview.
  const warnings = stack.warnings.filter((one) => variables === undefined || !one.startsWith('variable_undeclared:'));
  return { blockers, publishes, publishable, cost, latency, warnings };
}

function modeOf({ slug, fields: { mode = 'hosted' } }: AgentFile): 'hosted' | 'external_audio' | 'external_text' {
  if (mode === 'hosted' || mode === 'external_audio' || mode === 'external_text') return mode;
  throw new Failure('usage', `agents/${slug}.md: mode must be hosted, external_audio or external_text`);
}

export async function plan(parley: Parley, { folder, environment, projectId }: PlanOptions): Promise<Planned[]> {
  const lock = readLock(folder, environment);
  const planned: Planned[] = [];
  for (const file of readAgents(folder)) {
    const { bodies: _b, etag: _e, ...shown } = await inspect(parley, file, { lock, projectId });
    planned.push(shown);
  }
  return planned;
}

export interface Applied {
  readonly slug: string;
  readonly agent_id: string;
  readonly changed: boolean;
}

export interface ApplyOptions extends PlanOptions {
  readonly force: boolean;
  /** Receives the secrets of new tools, by name. Called at once, because they are returned only once and a later step may be refused. */
  readonly onSecrets: (of: { agent: string; agent_id: string }, secrets: Secrets) => Promise<void>;
}

/** Applies the differences. Refuses before the first write if an agent has drifted (unless forced) or a change is blocked. */
export async function apply(
  parley: Parley,
  { folder, environment, projectId, force, onSecrets }: ApplyOptions,
): Promise<Applied[]> {
  const lock = readLock(folder, environment);
  const files = readAgents(folder);
  const inspected = await Promise.all(files.map((file) => inspect(parley, file, { lock, projectId })));
  const drifted = inspected.filter(({ drift }) => drift.length > 0);
  if (drifted.length > 0 && !force) throw new Failure('conflict', drifted.map(describeDrift).join('\n'));
  const blocked = inspected.flatMap(({ slug, preview }) => (preview?.blockers ?? []).map((one) => ({ slug, ...one })));
  if (blocked.length > 0)
    throw new Failure(
      'blockers',
      blocked.map(({ slug, scope, code, detail }) => `${slug}: ${scope}: ${code}: ${detail}`).join('\n'),
    );

  const done: Applied[] = [];
  for (const [index, found] of inspected.entries()) {
    const file = files[index];
    if (!file) continue;
    const keep = (one: LockedAgent): void => {
      lock[file.slug] = one;
      writeLock(folder, environment, lock);
    };
    const isNew = found.agent_id === null;
    const creation = lock[file.slug]?.creation ?? randomUUID();
    // Stored before the request, so that a creation whose response is lost is not repeated.
    if (isNew) keep({ agent_id: '', creation, applied: {}, seen: {} });
    const agentId = found.agent_id ?? (await create(parley, file, projectId, creation));
    const read = async (): Promise<Fields> =>
      (await readPlatform(parley, agentId, hasWorkflow(file, lock[file.slug]))).seen;
    // Stored before anything else is written, so that a repeated application continues with this agent.
    if (isNew) keep({ agent_id: agentId, creation, applied: {}, seen: await read() });
    const isForced = found.drift.length > 0;
    const changed = found.changes.length > 0 || isForced;
    if (changed) {
      note(`${file.slug}: applying ${isForced ? 'every field' : found.changes.map(({ field }) => field).join(', ')}`);
      // Overwrites changes made elsewhere, in every field of the file.
      const bodies = isForced ? await bodiesFor(parley, file, changesBetween({}, file.fields)) : found.bodies;
      for (const { fields, run } of stepsOf(parley, agentId, bodies, found.etag)) {
        const secrets = await run();
        if (Object.keys(secrets).length > 0) await onSecrets({ agent: file.slug, agent_id: agentId }, secrets);
        // Stored after each step, so that the effects of earlier steps are not drift if a step is refused.
        const written = Object.fromEntries(fields.map((name) => [name, file.fields[name]]));
        keep({ agent_id: agentId, creation, applied: { ...lock[file.slug]?.applied, ...written }, seen: await read() });
      }
      keep({ agent_id: agentId, creation, applied: file.fields, seen: lock[file.slug]?.seen ?? (await read()) });
    }
    done.push({ slug: file.slug, agent_id: agentId, changed });
  }
  return done;
}

async function create(
  parley: Parley,
  file: AgentFile,
  projectId: string | undefined,
  creation: string,
): Promise<string> {
  const { organization, projects } = await parley.me.getMe();
  const project = projectId ?? (projects.length === 1 ? projects[0]?.project_id : undefined);
  if (!organization || project === undefined)
    throw new Failure('usage', 'name the project of new agents: --project prj_…');
  const name = typeof file.fields.name === 'string' ? file.fields.name : file.slug;
  const { agent_id } = await parley.agents.createAgent({
    body: { organization_id: organization.organization_id, project_id: project, mode: modeOf(file), name },
    headers: { 'Idempotency-Key': creation },
  });
  return agent_id;
}

function describeDrift({ slug, drift }: Planned): string {
  const fields = drift.map((change) => `  ${describeChange(change)}`);
  return [`${slug} was changed on the platform since it was applied; --force overwrites it:`, ...fields].join('\n');
}
