/** What stands between files, the last application and the platform. */
import { isDeepStrictEqual } from 'node:util';
import type { AgentView, AgentVoiceStack } from '@parley/sdk';
import type { AgentFile, Fields, LockedAgent } from './files.js';

export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** Fields of the agent; every other field of a file belongs to its voice stack. */
const agentFields: ReadonlySet<string> = new Set([
  'name',
  'recording_enabled',
  'translation',
  'status',
  'webhook_url',
  'audio_stream_url',
  'metadata',
]);
/** Only at creation. */
const creationFields: ReadonlySet<string> = new Set(['mode']);
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

export function seenOf(agent: AgentView, stack: AgentVoiceStack): Fields {
  const all = Object.entries({ ...agent, ...stack }).filter(([name]) => !derived.has(name));
  return Object.fromEntries(all);
}

export function changesBetween(from: Fields, to: Fields): Change[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .sort()
    .filter((field) => !isDeepStrictEqual(from[field], to[field]))
    .map((field) => ({ field, from: from[field], to: to[field] }));
}

/** What was changed on the platform since the last application, by someone else. */
export function driftOf(locked: LockedAgent, seen: Fields): Change[] {
  return changesBetween(locked.seen, seen);
}

export interface Bodies {
  readonly agent: Fields;
  readonly stack: Fields;
}

/** A field that left the file keeps its value on the platform. */
export function bodiesOf({ fields }: AgentFile, changes: readonly Change[]): Bodies {
  const agent: Fields = {};
  const stack: Fields = {};
  for (const { field } of changes) {
    if (!(field in fields) || creationFields.has(field)) continue;
    (agentFields.has(field) ? agent : stack)[field] = fields[field];
  }
  return { agent, stack };
}
