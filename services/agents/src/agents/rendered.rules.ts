import { agentView } from './agent-view.rules';
import { navigationStatus } from './navigation.rules';
import type { StoredAgent } from './stored-agent.rules';
import { tuningOf } from './tuning.rules';
import { withSecrets } from './tool-secrets.rules';
import { voiceStackView } from './voice-stack-view.rules';

/** The texts that reads return as they are; rendered by every write. */
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

/** The end of an agent's view before its times are known. */
const withoutTimes = '"created_at":"","updated_at":""}';

/** The view of a new agent up to its times, which the database appends at insertion. */
export const viewBeforeTimes = ({ view }: Pick<Rendered, 'view'>): string => view.slice(0, -withoutTimes.length);

/** The view of a new agent as the insertion assembles it. */
export const viewCreatedAt = (rendered: Pick<Rendered, 'view'>, time: string): string =>
  `${viewBeforeTimes(rendered)}"created_at":"${time}","updated_at":"${time}"}`;

type Made = ReadonlyMap<string, string>;

/** The response of a write. Secrets of tools that the write created are included only in this response. */
export const viewWithSecrets = (agent: StoredAgent, { view }: Rendered, made: Made): string =>
  made.size === 0 ? view : JSON.stringify({ ...agentView(agent), tools: withSecrets(agent.document.tools, made) });

/** The response of a voice-stack save: the view without tools, and whether calls could use it. */
export const voiceStackSaved = (agent: StoredAgent, made: Made, runnable: object): string =>
  JSON.stringify({
    ...voiceStackView(agent),
    ...(made.size === 0 ? {} : { tools: withSecrets(agent.document.tools, made) }),
    ...runnable,
  });
