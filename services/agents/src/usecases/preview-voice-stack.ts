import {
  effectiveTuning,
  type AgentVoiceStackUpdate,
  type CatalogueFacts,
  type Publication,
  type VoiceStackPreview,
} from '@parley/contract';
import { forbidden, notFound } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { findForChange } from '../db/read-agent';
import { changedAgent, isChanged, type Change } from '../domain/changed-agent';
import { navigationStatus } from '../domain/navigation';
import { publishes } from '../domain/publication-decision';
import { saveDocument } from '../domain/save-document';
import type { StoredAgent } from '../domain/stored-agent';
import { tuningOf } from '../domain/tuning';
import { voiceStackView } from '../domain/voice-stack-view';
import { checkCredentialBindings } from './check-credential-bindings';
import { configurationFor } from './configuration-for';
import type { Dependencies } from './dependencies';
import { workspaceOf } from './find-workspace';

export interface PreviewVoiceStack {
  readonly organizationId: string;
  readonly agentId: string;
  /** Gives the body, checked against its class; called once the agent is found. */
  readonly body: () => AgentVoiceStackUpdate;
}

/**
 * POST /v1/agents/{agent_id}/voice-stack/preview: the same merge, rules and compilation as a save, without its writes. What a
 * save refuses for its fields is refused here; what it refuses because it cannot be published is answered as blockers.
 */
export async function previewVoiceStack(
  dependencies: Dependencies,
  request: PreviewVoiceStack,
  context: OutgoingContext,
): Promise<string> {
  const { db, voiceStack } = dependencies;
  const { agentId } = request;
  const found = await findForChange(db, await workspaceOf(db, request.organizationId, agentId), agentId);
  if (found === undefined) throw notFound('agent');
  const { agent, now } = found;
  const body = request.body();
  if ((body.project_id ?? agent.projectId) !== agent.projectId) throw forbidden();
  if ((body.organization_id ?? agent.organizationId) !== agent.organizationId) throw forbidden();
  await checkCredentialBindings(dependencies, agent, body, context);
  const document = saveDocument(agent, body, await voiceStack.languageAxis(context));
  const change: Change = { document, status: agent.status, carriesLanguages: body.languages !== undefined };
  const publish = publishes({
    before: agent.document,
    after: document,
    publishedVersion: agent.published.version,
    carriesLanguages: change.carriesLanguages,
  });
  const { blockers, sha256, publication, ...compiled } = await voiceStack.preview(
    await configurationFor(dependencies, agent.organizationId, document, context),
    context,
  );
  const publishedSha256 = publish && blockers.length === 0 ? sha256 : undefined;
  const after =
    publish || isChanged(agent, change) ? changedAgent(agent, { change, compiled, publishedSha256, now }) : agent;
  const preview: Previewed = {
    publishes: publish,
    blockers: blockers.map(({ code, scope, detail }) => ({ code, scope, detail })),
    cost: compiled.projection.cost,
    latency: compiled.projection.latency,
    voice_stack: voiceStackView(after),
    publication,
    effective: effectiveOf(after, publication, await voiceStack.catalogueFacts(context)),
  };
  return JSON.stringify(preview);
}

/** What the answer's class says, with documents as they are. */
type Previewed = Readonly<Record<keyof VoiceStackPreview, unknown>>;

/** An outbound phone call in the primary language is what every section of the tuning has an effect on. */
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
