import {
  neededCapabilities,
  type AgentView,
  type Blocker,
  type ConductedBy,
  type VoiceStackProjection,
} from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { boundCredentials, credentialWarnings } from './credential-bindings.rules';
import type { Dependencies } from './dependencies';
import { missingAddress } from './missing-address';
import { warningsOf } from './setting-warnings.rules';
import type { StoredAgent } from './stored-agent.rules';

/** What the answers of the voice-stack routes add to its view. */
export interface RunnableView {
  readonly warnings: readonly string[];
  readonly publishable: boolean;
}

/** What is judged of an agent. */
interface Judged {
  readonly workspace: { readonly organizationId: string; readonly projectId: string };
  readonly agent: {
    readonly mode: string;
    readonly tools: ConductedBy['tools'];
    readonly webhook_url?: string | undefined;
    readonly audio_stream_url?: string | undefined;
    readonly translation?: { readonly enabled: boolean } | undefined;
  };
  readonly stack: Pick<VoiceStackProjection, 'selectable' | 'warnings'> & NonNullable<ConductedBy['publication']>;
}

const textOf = ({ code, detail }: Pick<Blocker, 'code' | 'detail'>): string => `${code}: ${detail}`;

/**
 * Whether calls could run with an agent as it is, and what is in the way: what no worker can do, and an address or a translator that is missing. Where
 * telephony or webhooks is away the warnings say so, and the rest decides.
 */
async function judge(
  { workers, endpoints }: Pick<Dependencies, 'workers' | 'endpoints'>,
  { workspace, agent, stack }: Judged,
  context: OutgoingContext,
): Promise<RunnableView> {
  const { mode, tools } = agent;
  const needs = neededCapabilities({ mode, publication: stack, tools, workflow: undefined });
  const [judged, missing] = await Promise.all([
    workers.judge(workspace, needs, context),
    missingAddress({ endpoints }, workspace, agent, context).catch(() => undefined),
  ]);
  const blockers = [...(missing ?? []), ...(judged?.blockers ?? [])];
  const others = [
    ...(missing === undefined ? ['address_unknown: which endpoints the project has is not known now'] : []),
    ...(judged === undefined ? ['workers_unknown: which workers there are is not known now'] : []),
    ...(agent.translation?.enabled === true && judged?.translator === 'none'
      ? ['translation_unavailable: no translation provider is configured, so that every translation fails']
      : []),
  ];
  return {
    warnings: [...stack.warnings, ...blockers.map(textOf), ...others],
    publishable: stack.selectable && blockers.length === 0,
  };
}

/** Of an agent as it is, or as it would be. What auth does not say in time is not warned of. */
export async function runnableView(
  dependencies: Pick<Dependencies, 'workers' | 'endpoints' | 'credentials' | 'connections'>,
  agent: StoredAgent,
  context: OutgoingContext,
): Promise<RunnableView> {
  const { document, compiled, organizationId } = agent;
  const bound = boundCredentials(document);
  const known =
    bound.length === 0 ? [] : await dependencies.credentials.find(organizationId, bound, context).catch(() => []);
  const warnings = [
    ...warningsOf(document, compiled.projection),
    ...credentialWarnings(document, known),
    ...(await dependencies.connections.warnings(agent, document.tools)),
  ];
  const stack = { ...compiled.projection, warnings, voice_frontend: document.voice_frontend };
  return judge(dependencies, { workspace: agent, agent: document, stack }, context);
}

/** The read of a voice stack with what is judged now, from the stored reads of the agent. */
export async function withRunnable(
  dependencies: Pick<Dependencies, 'workers' | 'endpoints'>,
  stored: { readonly stack: string; readonly agent: string },
  context: OutgoingContext,
): Promise<string> {
  const stack = JSON.parse(stored.stack) as Judged['stack'];
  const agent = JSON.parse(stored.agent) as AgentView;
  const workspace = { organizationId: agent.organization_id, projectId: agent.project_id };
  return JSON.stringify({ ...stack, ...(await judge(dependencies, { workspace, agent, stack }, context)) });
}
