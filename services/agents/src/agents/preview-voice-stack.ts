import {
  effectiveTuning,
  type AgentConfigurationSave,
  type AgentVoiceStackUpdate,
  type CatalogueFacts,
  type Publication,
  type VoiceStackPreview,
} from '@parley/contract';
import { notFound } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { findForChange } from './read-agent.sql';
import { changedAgent, isChanged, type Change } from './changed-agent.rules';
import { navigationStatus } from './navigation.rules';
import { findNewStops, refusingBlockers } from './find-new-stops';
import { publishes } from './publication-decision.rules';
import { prepareChange } from './save-configuration';
import { saveDocument } from './save-document.rules';
import { sealToolHeaders } from './seal-tool-headers';
import { neverPublished, type StoredAgent } from './stored-agent.rules';
import { runnableView } from './runnable-view';
import { tuningOf } from './tuning.rules';
import { voiceStackView } from './voice-stack-view.rules';
import { checkWorkspace } from './change-agent';
import { checkAddresses } from './check-addresses';
import { checkSentTools } from './check-tools';
import { checkCredentialBindings } from './check-credential-bindings';
import { configurationFor } from './configuration-for';
import { createDocument } from './create-document.rules';
import type { Dependencies } from './dependencies';
import { findWorkspaceId } from './find-workspace';

export interface PreviewVoiceStack {
  readonly organizationId: string;
  readonly agentId: string;
  /** Returns the validated body; called after the agent is found. */
  readonly body: () => AgentVoiceStackUpdate;
}

/**
 * POST /v1/agents/{agent_id}/voice-stack/preview: merges, validates and compiles like a save, but writes nothing. Field errors are refused as in a save;
 * publication errors are returned as blockers.
 */
export async function previewVoiceStack(
  dependencies: Dependencies,
  request: PreviewVoiceStack,
  context: OutgoingContext,
): Promise<string> {
  const { db, voiceStack } = dependencies;
  const { agentId } = request;
  const found = await findForChange(db, await findWorkspaceId(db, request.organizationId, agentId), agentId);
  if (found === undefined) throw notFound('agent');
  const { agent, now } = found;
  const body = request.body();
  checkWorkspace(agent, body);
  checkAddresses(dependencies.policy, { tools: body.tools }, agent.document);
  await checkSentTools(dependencies, agent, body.tools, agent.document.tools);
  await checkCredentialBindings(dependencies, agent, body, context);
  const document = saveDocument(agent, body, await voiceStack.languageAxis(context));
  const change = { document, status: agent.status, carriesLanguages: Array.isArray(body.languages) };
  return previewChange(dependencies, { agent, change, now }, context);
}

export interface PreviewAgent {
  readonly organizationId: string;
  readonly body: AgentConfigurationSave;
}

/** POST /v1/agent-previews: shows the agent that creating and saving this configuration would result in, without creating it. Its ids are empty. */
export async function previewAgent(
  dependencies: Dependencies,
  { organizationId, body }: PreviewAgent,
  context: OutgoingContext,
): Promise<string> {
  const { voiceStack } = dependencies;
  const hasAxis = await voiceStack.languageAxis(context);
  const { mode = 'hosted' } = body.agent;
  const projectId = body.project_id ?? '';
  const document = createDocument({ organization_id: organizationId, project_id: projectId, mode }, hasAxis);
  const agent: StoredAgent = {
    agentId: '',
    organizationId,
    projectId,
    status: 'active',
    revision: 0,
    languageProfileRevision: 0,
    document,
    toolSecrets: {},
    compiled: await voiceStack.draft(await configurationFor(dependencies, organizationId, document, context), context),
    published: neverPublished,
    createdAt: '',
    updatedAt: '',
  };
  const change = await prepareChange(dependencies, { stored: agent, body, hasAxis }, context);
  return previewChange(dependencies, { agent, change, now: new Date().toISOString() }, context);
}

interface Previewing {
  readonly agent: StoredAgent;
  /** Contains the tools as in the request: their header values are not encrypted yet. */
  readonly change: Change;
  readonly now: string;
}

async function previewChange(
  dependencies: Dependencies,
  { agent, change: sent, now }: Previewing,
  context: OutgoingContext,
): Promise<string> {
  const { voiceStack } = dependencies;
  const tools = sealToolHeaders(dependencies.vault, agent, sent.document.tools, agent.document.tools);
  const document = { ...sent.document, tools };
  const change: Change = { ...sent, document };
  const publish = publishes({
    before: agent.document,
    after: document,
    publishedVersion: agent.published.version,
    carriesLanguages: change.carriesLanguages,
    savesVoiceStack: true,
  });
  const { blockers, sha256, publication, ...compiled } = await voiceStack.preview(
    await configurationFor(dependencies, agent.organizationId, document, context),
    context,
  );
  const refusing = publish
    ? refusingBlockers(blockers, await findNewStops(dependencies, agent, document, context))
    : blockers;
  const publishedSha256 = publish && refusing.length === 0 ? sha256 : undefined;
  const after =
    publish || isChanged(agent, change) ? changedAgent(agent, { change, compiled, publishedSha256, now }) : agent;
  const runnable = await runnableView(dependencies, after, context);
  const preview: Previewed = {
    publishes: publish,
    blockers: refusing.map(({ code, scope, detail }) => ({ code, scope, detail })),
    cost: compiled.projection.cost,
    latency: compiled.projection.latency,
    publishable: runnable.publishable && blockers.length === 0,
    voice_stack: { ...voiceStackView(after), ...runnable },
    publication: { ...publication, tools: undefined },
    effective: effectiveOf(after, publication, await voiceStack.catalogueFacts(context)),
  };
  return JSON.stringify(preview);
}

/** The fields of the response; documents are passed on as they are. */
type Previewed = Readonly<Record<keyof VoiceStackPreview, unknown>>;

/** The effective tuning of an outbound phone call in the primary language: all sections apply to such a call. */
function effectiveOf({ document, compiled }: StoredAgent, publication: Publication, catalogue: CatalogueFacts): object {
  const { ineligible_reason: reason } = navigationStatus(document, compiled.projection.navigation_ineligible_reason);
  return effectiveTuning({
    channel: 'phone',
    direction: 'outbound',
    hosted: document.mode === 'hosted',
    language: '',
    publication,
    tuning: tuningOf(document, reason),
    catalogue,
  });
}
