import { agentView } from './agent-view';
import { navigationStatus } from './navigation';
import type { StoredAgent } from './stored-agent';
import { tuningOf } from './tuning';
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
