/** What stands between files, the last application and the platform. */
import { isDeepStrictEqual } from 'node:util';
import type { AgentConfiguration, VoiceStackPreview, WorkflowDefinition } from '@parley/sdk';
import type { AgentFile, Fields, LockedAgent } from './files.js';

export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What an application of a file would do. */
export interface Planned {
  readonly slug: string;
  readonly agent_id: string | null;
  readonly changes: readonly Change[];
  readonly drift: readonly Change[];
  /** Null where the voice stack does not change. */
  readonly preview:
    | (Pick<VoiceStackPreview, 'blockers' | 'publishes' | 'publishable' | 'cost' | 'latency'> & {
        /** What would work otherwise than it is set, or not at all; as "code: text". */
        readonly warnings: readonly string[];
      })
    | null;
  /** Null where nothing is previewed, or no agent exists yet. */
  readonly before: Pick<VoiceStackPreview, 'cost' | 'latency'> | null;
}

/** Fields of the agent; every other field of a file belongs to its voice stack. */
const agentFields: ReadonlySet<string> = new Set([
  'name',
  'mode',
  'recording_enabled',
  'translation',
  'status',
  'webhook_url',
  'audio_stream_url',
  'metadata',
]);
/** Of reads: what no one wrote. */
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

/** With routes of their own. */
const ownRoutes: ReadonlySet<string> = new Set(['variables', 'workflow']);

/** What was changed on the platform since the last application, by someone else. What was not read then cannot have changed. */
export function driftOf(locked: LockedAgent, seen: Fields): Change[] {
  return changesBetween(locked.seen, seen).filter(({ field }) => field in locked.seen || !ownRoutes.has(field));
}

export interface Bodies {
  readonly agent: Fields;
  readonly stack: Fields;
  /** Absent: they stay. */
  readonly variables?: unknown;
  readonly workflow?: WorkflowDefinition;
}

/** A field that left the file keeps its value on the platform. */
export function bodiesOf({ fields }: AgentFile, changes: readonly Change[]): Bodies {
  const agent: Fields = {};
  const stack: Fields = {};
  const own: { variables?: unknown; workflow?: WorkflowDefinition } = {};
  for (const { field } of changes) {
    if (!(field in fields)) continue;
    if (field === 'variables') own.variables = fields.variables;
    // The platform judges what a workflow may be.
    else if (field === 'workflow') own.workflow = fields.workflow as WorkflowDefinition;
    else (agentFields.has(field) ? agent : stack)[field] = fields[field];
  }
  return { agent, stack, ...own };
}
