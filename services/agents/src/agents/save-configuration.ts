import type { AgentConfigurationSave } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { etagOf } from '../etag.rules';
import { changeAgent, checkWorkspace, type ChangeAgent } from './change-agent';
import type { Change } from './changed-agent.rules';
import { checkAddresses } from './check-addresses';
import { checkSentTools } from './check-tools';
import { checkCredentialBindings } from './check-credential-bindings';
import { configurationParts, inWholeBody } from './configuration-parts.rules';
import type { AgentAnswer, Dependencies } from './dependencies';
import type { LanguageAxis } from './languages.rules';
import { viewWithSecrets, voiceStackSaved } from './rendered.rules';
import { runnableView } from './runnable-view';
import { saveDocument } from './save-document.rules';
import type { StoredAgent } from './stored-agent.rules';
import { nextStatus, updateDocument } from './update-document.rules';

/** PUT /v1/agents/{agent_id}/configuration (docs/reference/agents.md#configuration): the agent and its voice stack in one change. */
export async function saveConfiguration(
  dependencies: Dependencies,
  request: ChangeAgent<AgentConfigurationSave>,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const hasAxis = await dependencies.voiceStack.languageAxis(context);
  const { agent, rendered, madeSecrets } = await changeAgent(
    dependencies,
    { ...request, action: 'agent.configuration_saved' },
    (stored, body) => prepareChange(dependencies, { stored, body, hasAxis }, context),
    context,
  );
  const voiceStack = voiceStackSaved(agent, new Map(), await runnableView(dependencies, agent, context));
  const body = `{"agent":${viewWithSecrets(agent, rendered, madeSecrets)},"voice_stack":${voiceStack}}`;
  return { body, etag: etagOf(agent.revision) };
}

interface Save {
  readonly stored: StoredAgent;
  readonly body: AgentConfigurationSave;
  readonly hasAxis: LanguageAxis;
}

/** Validates a save with all rules and returns its change, without writing anything. Field paths in errors are paths in the whole body. */
export async function prepareChange(
  dependencies: Dependencies,
  { stored, body, hasAxis }: Save,
  context: OutgoingContext,
): Promise<Change> {
  checkWorkspace(stored, body.agent);
  checkWorkspace(stored, body.voice_stack);
  const { agent, voiceStack, moved } = configurationParts(stored, body);
  const settings = await inPart('agent', moved, () => {
    checkAddresses(dependencies.policy, agent, stored.document);
    return {
      document: updateDocument(stored.document, agent),
      status: nextStatus(stored.status, agent.status),
    };
  });
  return inPart('voice_stack', moved, async () => {
    checkAddresses(dependencies.policy, { tools: voiceStack.tools }, stored.document);
    await checkSentTools(dependencies, stored, voiceStack.tools, stored.document.tools);
    await checkCredentialBindings(dependencies, stored, voiceStack, context);
    return {
      document: saveDocument({ ...stored, document: settings.document }, voiceStack, hasAxis),
      status: settings.status,
      carriesLanguages: Array.isArray(voiceStack.languages),
      savesVoiceStack: true,
    };
  });
}

/** Runs a function for one part and rewrites the field paths in its errors to paths in the whole body. */
async function inPart<T>(
  part: 'agent' | 'voice_stack',
  moved: ReadonlySet<string>,
  checked: () => T | Promise<T>,
): Promise<T> {
  try {
    return await checked();
  } catch (error) {
    throw inWholeBody(error, part, moved);
  }
}
