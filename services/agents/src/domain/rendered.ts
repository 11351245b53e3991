import { agentView } from './agent-view';
import { navigationStatus } from './navigation';
import type { StoredAgent } from './stored-agent';
import { tuningOf } from './tuning';
import { withSecrets } from './tool-secrets';
import { voiceStackView } from './voice-stack-view';

/** The texts that reads answer as they are, rendered at every write. */
export interface Rendered {
  readonly view: string;
  readonly voiceStackView: string;
  readonly tuning: string;
}

export function render(agent: StoredAgent): Rendered {
  const { document, compiled } = agent;
  const navigation = navigationStatus(document, compiled.projection.navigation_ineligible_reason);
  return {
    view: JSON.stringify(agentView(agent)),
    voiceStackView: JSON.stringify(voiceStackView(agent)),
    tuning: JSON.stringify(tuningOf(document, navigation.ineligible_reason)),
  };
}

type Made = ReadonlyMap<string, string>;

/** The answer of a write that made secrets of tools, which show them for the one time; the rendered text where none was made. */
export const viewWithSecrets = (agent: StoredAgent, { view }: Rendered, made: Made): string =>
  made.size === 0 ? view : JSON.stringify({ ...agentView(agent), tools: withSecrets(agent.document.tools, made) });

/** The same for a save, whose read shows no tools. */
export const voiceStackViewWithSecrets = (agent: StoredAgent, rendered: Rendered, made: Made): string =>
  made.size === 0
    ? rendered.voiceStackView
    : JSON.stringify({ ...voiceStackView(agent), tools: withSecrets(agent.document.tools, made) });
