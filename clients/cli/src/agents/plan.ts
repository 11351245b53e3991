/** Compares files, the last applied state and the platform. */
import { isDeepStrictEqual } from 'node:util';
import type { AgentConfiguration, VoiceStackPreview, WorkflowDefinition } from '@parley/sdk';
import type { AgentFile, Fields, LockedAgent } from './files.js';

export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The changes that applying a file would make. */
export interface Planned {
  readonly slug: string;
  readonly agent_id: string | null;
  readonly changes: readonly Change[];
  readonly drift: readonly Change[];
  /** Null if the voice stack does not change. */
  readonly preview:
    | (Pick<VoiceStackPreview, 'blockers' | 'publishes' | 'publishable' | 'cost' | 'latency'> & {
        /** Settings that would have no effect or a different one, as "code: text". */
        readonly warnings: readonly string[];
      })
    | null;
  /** Null if nothing is previewed, or no agent exists yet. */
  readonly before: Pick<VoiceStackPreview, 'cost' | 'latency'> | null;
}

/** Fields of the agent; all other fields of a file belong to its voice stack. */
const agentFields: ReadonlySet<string> = new Set([
  'name',
  'mode',
  'recording_enabled',
  'answers_messages',
  'translation',
  'status',
  'webhook_url',
  'audio_stream_url',
  'metadata',
]);
/** Fields of reads that no one writes. */
const derived: ReadonlySet<string> = new Set([
  'agent_id',
  'organization_id',
  'project_id',
  'cost',
  'latency',
  'selectable',
  'publishable',
  'warnings',
  'voice_stack',
  'suspension',
  'created_at',
  'updated_at',
]);

export function seenOf({ agent, voice_stack: stack }: AgentConfiguration): Fields {
  const all = Object.entries({ ...agent, ...stack }).filter(([name]) => !derived.has(name));
  return Object.fromEntries(all);
}

export function changesBetween(from: Fields, to: Fields): Change[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .sort()
    .filter((field) => !isDeepStrictEqual(from[field], to[field]))
    .map((field) => ({ field, from: from[field], to: to[field] }));
}

/** Fields with separate routes. */
const ownRoutes: ReadonlySet<string> = new Set(['variables', 'workflow']);

/** The changes made on the platform by others since the last application. Values that were not read then do not count as changed. */
export function driftOf(locked: LockedAgent, seen: Fields): Change[] {
  return changesBetween(locked.seen, seen).filter(({ field }) => field in locked.seen || !ownRoutes.has(field));
}

export interface Bodies {
  readonly agent: Fields;
  readonly stack: Fields;
  /** If absent, they are kept. */
  readonly variables?: unknown;
  readonly workflow?: WorkflowDefinition;
}

/** A field that was removed from the file keeps its value on the platform. */
export function bodiesOf({ fields }: AgentFile, changes: readonly Change[]): Bodies {
  const agent: Fields = {};
  const stack: Fields = {};
  const own: { variables?: unknown; workflow?: WorkflowDefinition } = {};
  for (const { field } of changes) {
    if (!(field in fields)) continue;
    if (field === 'variables') own.variables = fields.variables;
    // Only the platform validates workflows.
    else if (field === 'workflow') own.workflow = fields.workflow as WorkflowDefinition;
    else (agentFields.has(field) ? agent : stack)[field] = fields[field];
  }
  return { agent, stack, ...own };
}
