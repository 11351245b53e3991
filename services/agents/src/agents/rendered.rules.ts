import { agentView } from './agent-view.rules';
import { navigationStatus } from './navigation.rules';
import type { StoredAgent } from './stored-agent.rules';
import { tuningOf } from './tuning.rules';
import { withSecrets } from './tool-secrets.rules';
import { voiceStackView } from './voice-stack-view.rules';

/** The texts that reads return unchanged, rendered at every write. */
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

/** How the read of an agent ends while its times are unknown. */
const withoutTimes = '"created_at":"","updated_at":""}';

/** The read of a new agent up to its times, which the database sets at insertion. */
export const viewBeforeTimes = ({ view }: Pick<Rendered, 'view'>): string => view.slice(0, -withoutTimes.length);

/** The read of a new agent, as assembled by its insertion. */
export const viewCreatedAt = (rendered: Pick<Rendered, 'view'>, time: string): string =>
  `${viewBeforeTimes(rendered)}"created_at":"${time}","updated_at":"${time}"}`;

type Made = ReadonlyMap<string, string>;

/** The response of a write that created secrets of tools, which shows them only this time; otherwise the rendered text. */
export const viewWithSecrets = (agent: StoredAgent, { view }: Rendered, made: Made): string =>
  made.size === 0 ? view : JSON.stringify({ ...agentView(agent), tools: withSecrets(agent.document.tools, made) });

/** The response of a voice-stack save: the read, without tools, and whether calls could run with it. */
export const voiceStackSaved = (agent: StoredAgent, made: Made, runnable: object): string =>
  JSON.stringify({
    ...voiceStackView(agent),
    ...(made.size === 0 ? {} : { tools: withSecrets(agent.document.tools, made) }),
    ...runnable,
  });
