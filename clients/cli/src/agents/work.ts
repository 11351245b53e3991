import { randomUUID } from 'node:crypto';
import type { AgentVoiceStack, Parley, VoiceStackPreview } from '@parley/sdk';
import { Failure } from '../failure.js';
import { note } from '../output.js';
import { readAgents, readLock, writeLock, type AgentFile, type Fields, type Lock } from './files.js';
import { bodiesOf, changesBetween, driftOf, seenOf, type Bodies, type Change } from './plan.js';

export interface Planned {
  readonly slug: string;
  readonly agent_id: string | null;
  readonly changes: readonly Change[];
  readonly drift: readonly Change[];
  /** Null where there is nothing to preview: no change of the voice stack, or no agent yet. */
  readonly preview: Pick<VoiceStackPreview, 'blockers' | 'publishes' | 'cost' | 'latency'> | null;
  readonly before: Pick<VoiceStackPreview, 'cost' | 'latency'> | null;
}

interface Inspected extends Planned {
  readonly bodies: Bodies;
  readonly etag: string | null;
}

export interface PlanOptions {
  readonly folder: string;
  readonly environment: string;
}

export async function readPlatform(
  parley: Parley,
  agentId: string,
): Promise<{ seen: Fields; etag: string; stack: AgentVoiceStack }> {
  const path = { agent_id: agentId };
  // Both share one ETag: a write between the two is seen as a conflict by the write that follows.
  const { data: agent, response } = await parley.withResponse((options) =>
    parley.agents.getAgent({ path, ...options }),
  );
  const stack = await parley.agents.getVoiceStack({ path });
  return { seen: seenOf(agent, stack), etag: response.headers.get('etag') ?? '', stack };
}

async function inspect(parley: Parley, file: AgentFile, lock: Lock): Promise<Inspected> {
  const { slug } = file;
  const locked = lock[slug];
  const changes = changesBetween(locked?.applied ?? {}, file.fields);
  const bodies = bodiesOf(file, changes);
  if (!locked?.agent_id)
    return { slug, agent_id: null, changes, drift: [], preview: null, before: null, bodies, etag: null };
  if (changes.some(({ field }) => field === 'mode') && locked.applied.mode !== undefined)
    throw new Failure('usage', `agents/${slug}.md: mode is fixed when an agent is created`);
  const { seen, etag, stack } = await readPlatform(parley, locked.agent_id);
  const isPreviewed = Object.keys(bodies.stack).length > 0;
  const previewed = isPreviewed
    ? await parley.agents.previewVoiceStack({ path: { agent_id: locked.agent_id }, body: bodies.stack })
    : null;
  return {
    slug,
    agent_id: locked.agent_id,
    changes,
    drift: driftOf(locked, seen),
    preview: previewed && {
      blockers: previewed.blockers,
      publishes: previewed.publishes,
      cost: previewed.cost,
      latency: previewed.latency,
    },
    before: previewed && { cost: stack.cost, latency: stack.latency },
    bodies,
    etag,
  };
}

export async function plan(parley: Parley, { folder, environment }: PlanOptions): Promise<Planned[]> {
  const lock = readLock(folder, environment);
  const planned: Planned[] = [];
  for (const file of readAgents(folder)) {
    const { bodies: _b, etag: _e, ...shown } = await inspect(parley, file, lock);
    planned.push(shown);
  }
  return planned;
}

export interface Applied {
  readonly slug: string;
  readonly agent_id: string;
  readonly changed: boolean;
  /** Of tools that are new; for the one who asked for them alone. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Applies what differs. Refuses before the first write where an agent has drifted (unless forced) or a change is blocked. */
export async function apply(
  parley: Parley,
  { folder, environment, projectId, force }: PlanOptions & { projectId: string | undefined; force: boolean },
): Promise<Applied[]> {
  const lock = readLock(folder, environment);
  const files = readAgents(folder);
  const inspected = await Promise.all(files.map((file) => inspect(parley, file, lock)));
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
    const isNew = found.agent_id === null;
    const creation = lock[file.slug]?.creation ?? randomUUID();
    if (isNew) {
      // Kept before the request: a creation whose answer is lost is not done twice.
      lock[file.slug] = { agent_id: '', creation, applied: {}, seen: {} };
      writeLock(folder, environment, lock);
    }
    const agentId = found.agent_id ?? (await create(parley, file, projectId, creation));
    if (isNew) {
      // Before anything else is written, so that an application that is repeated goes on with this agent.
      lock[file.slug] = { agent_id: agentId, creation, applied: {}, seen: (await readPlatform(parley, agentId)).seen };
      writeLock(folder, environment, lock);
    }
    const isForced = found.drift.length > 0;
    const changed = found.changes.length > 0 || isForced;
    let secrets: Record<string, string> = {};
    if (changed) {
      note(`${file.slug}: applying ${isForced ? 'every field' : found.changes.map(({ field }) => field).join(', ')}`);
      // What was changed elsewhere is written over, whichever field of the file it was.
      const bodies = isForced ? bodiesOf(file, changesBetween({}, file.fields)) : found.bodies;
      secrets = await write(parley, agentId, bodies, found.etag);
      lock[file.slug] = {
        agent_id: agentId,
        creation,
        applied: file.fields,
        seen: (await readPlatform(parley, agentId)).seen,
      };
      writeLock(folder, environment, lock);
    }
    done.push({ slug: file.slug, agent_id: agentId, changed, secrets });
  }
  return done;
}

async function create(
  parley: Parley,
  { slug, fields }: AgentFile,
  projectId: string | undefined,
  creation: string,
): Promise<string> {
  const { organization, projects } = await parley.me.getMe();
  const project = projectId ?? (projects.length === 1 ? projects[0]?.project_id : undefined);
  if (!organization || project === undefined)
    throw new Failure('usage', 'name the project of new agents: --project prj_…');
  const mode = fields.mode === 'external_audio' || fields.mode === 'external_text' ? fields.mode : 'hosted';
  const name = typeof fields.name === 'string' ? fields.name : slug;
  const { agent_id } = await parley.agents.createAgent({
    body: { organization_id: organization.organization_id, project_id: project, mode, name },
    headers: { 'Idempotency-Key': creation },
  });
  return agent_id;
}

/** @returns the secrets that the platform made for new tools, by their names; they are shown this once */
export async function write(
  parley: Parley,
  agentId: string,
  bodies: Bodies,
  etag: string | null,
): Promise<Record<string, string>> {
  const path = { agent_id: agentId };
  let match = etag ?? (await readPlatform(parley, agentId)).etag;
  if (Object.keys(bodies.agent).length > 0) {
    const { response } = await parley.withResponse((options) =>
      parley.agents.updateAgent({ path, body: bodies.agent, headers: { 'If-Match': match }, ...options }),
    );
    match = response.headers.get('etag') ?? match;
  }
  if (Object.keys(bodies.stack).length === 0) return {};
  const { tools = [] } = await parley.agents.saveVoiceStack({
    path,
    body: bodies.stack,
    headers: { 'If-Match': match },
  });
  const made = tools.flatMap((tool) =>
    typeof tool === 'object' && 'secret' in tool && typeof tool.secret === 'string' ? [[tool.name, tool.secret]] : [],
  );
  return Object.fromEntries(made) as Record<string, string>;
}

function describeDrift({ slug, drift }: Planned): string {
  const fields = drift.map(({ field, from, to }) => `  ${field}: ${JSON.stringify(from)} is now ${JSON.stringify(to)}`);
  return [`${slug} was changed on the platform since it was applied; --force writes over it:`, ...fields].join('\n');
}
