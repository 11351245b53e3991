import { agentView } from './agent-view';
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
  return {
    view: JSON.stringify(agentView(agent)),
    voiceStackView: JSON.stringify(voiceStackView(agent)),
    tuning: JSON.stringify(tuningOf(agent.document)),
  };
}
