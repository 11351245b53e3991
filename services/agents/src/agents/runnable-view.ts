import {
  foldLanguage,
  neededCapabilities,
  stopsAgent,
  type AgentView,
  type Blocker,
  type RunBy,
  type VoiceStackProjection,
} from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import type { AgentDocument } from './agent-document.rules';
import { boundCredentials, credentialWarnings } from './credential-bindings.rules';
import type { Dependencies } from './dependencies';
import { missingAddress } from './missing-address';
import { warningsOf } from './setting-warnings.rules';
import type { StoredAgent } from './stored-agent.rules';

/** The computed fields in the responses of the voice-stack routes. */
export interface RunnableView {
  readonly warnings: readonly string[];
  readonly selectable: boolean;
  readonly publishable: boolean;
}

/** The properties of an agent that the evaluation needs. */
interface Checked {
  readonly workspace: { readonly organizationId: string; readonly projectId: string };
  readonly agent: {
    readonly mode: string;
    readonly tools: RunBy['tools'];
    readonly webhook_url?: string | undefined;
    readonly audio_stream_url?: string | undefined;
    readonly translation?: { readonly enabled: boolean } | undefined;
  };
  readonly stack: Pick<VoiceStackProjection, 'selectable' | 'warnings'> & NonNullable<RunBy['publication']>;
}

const textOf = ({ code, detail }: Pick<Blocker, 'code' | 'detail'>): string => `${code}: ${detail}`;

/**
 * Evaluates whether calls could use the agent, and lists the obstacles: features that no worker supports, and a missing address or translator. If telephony or
 * webhooks is unavailable, a warning says so and the result depends on the other checks.
 */
async function check(
  { workers, endpoints }: Pick<Dependencies, 'workers' | 'endpoints'>,
  { workspace, agent, stack }: Checked,
  context: OutgoingContext,
): Promise<RunnableView> {
  const { mode, tools } = agent;
  const needs = neededCapabilities({ mode, publication: stack, tools, workflow: undefined });
  const [checked, missing] = await Promise.all([
    workers.check(workspace, needs, context),
    missingAddress({ endpoints }, workspace, agent, context).catch(() => undefined),
  ]);
  const blockers = [...(missing ?? []), ...(checked?.blockers ?? [])];
  const others = [
    ...(missing === undefined ? ['address_unknown: the endpoints of the project cannot be read at the moment'] : []),
    ...(checked === undefined ? ['workers_unknown: the available workers cannot be read at the moment'] : []),
    ...(agent.translation?.enabled === true && checked?.translator === 'none'
      ? ['translation_unavailable: no translation provider is configured, so every translation fails']
      : []),
  ];
  return {
    warnings: [...stack.warnings, ...blockers.map(textOf), ...others],
    selectable: stack.selectable && !(checked?.undeclared ?? []).some(stopsAgent),
    publishable: stack.selectable && blockers.length === 0,
  };
}

/** Warnings about an agent's bound credentials and the connections of its tools. Omitted if auth does not respond in time. */
async function warningsOfOthers(
  { credentials, connections, assigned }: Pick<Dependencies, 'credentials' | 'connections' | 'assigned'>,
  workspace: Checked['workspace'] & { readonly agentId: string },
  document: Pick<AgentDocument, 'component_credential_bindings' | 'tools'>,
  context: OutgoingContext,
): Promise<string[]> {
  const bound = boundCredentials(document);
  const known =
    bound.length === 0 ? [] : await credentials.find(workspace.organizationId, bound, context).catch(() => []);
  return [
    ...credentialWarnings(document, known),
    ...(await connections.warnings(workspace, document.tools)),
    ...(await assigned.warnings(workspace, document.tools)),
  ];
}

type Checks = Pick<Dependencies, 'workers' | 'endpoints' | 'credentials' | 'connections' | 'assigned'>;

/** Evaluates a stored agent or one that is only previewed. */
export async function runnableView(
  dependencies: Checks,
  agent: StoredAgent,
  context: OutgoingContext,
): Promise<RunnableView> {
  const { document, compiled } = agent;
  const others = await warningsOfOthers(dependencies, agent, document, context);
  const warnings = [...warningsOf(document, compiled.projection), ...others];
  const { voice_frontend } = document;
  const stack = {
    ...compiled.projection,
    warnings,
    voice_frontend,
    profiles: profilesOf(document, compiled.projection),
  };
  return check(dependencies, { workspace: agent, agent: document, stack }, context);
}

/** Adds the current evaluation to the view of a voice stack. */
export async function withRunnable(
  dependencies: Checks,
  stored: { readonly stack: string; readonly agent: string; readonly document: string },
  context: OutgoingContext,
): Promise<string> {
  const read = JSON.parse(stored.stack) as Checked['stack'];
  const agent = JSON.parse(stored.agent) as AgentView;
  const document = JSON.parse(stored.document) as AgentDocument;
  const workspace = { organizationId: agent.organization_id, projectId: agent.project_id, agentId: agent.agent_id };
  const others = await warningsOfOthers(dependencies, workspace, document, context);
  const stack = { ...read, warnings: [...read.warnings, ...others], profiles: profilesOf(document, read) };
  return JSON.stringify({ ...read, ...(await check(dependencies, { workspace, agent, stack }, context)) });
}

/** The components of each selected language. */
function profilesOf(
  { languages = [], language_profiles: overrides }: Pick<AgentDocument, 'languages' | 'language_profiles'>,
  shared: Pick<Checked['stack'], 'transcriber' | 'voice'>,
): NonNullable<Checked['stack']['profiles']> {
  return languages.map((locale) => {
    const { transcriber = shared.transcriber, voice = shared.voice } =
      overrides.find((override) => foldLanguage(override.locale) === foldLanguage(locale)) ?? {};
    return { locale, transcriber, voice };
  });
}
