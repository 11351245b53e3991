import { agentView } from './agent-view.rules';
import { navigationStatus } from './navigation.rules';
import type { StoredAgent } from './stored-agent.rules';
import { tuningOf } from './tuning.rules';
import { withSecrets } from './tool-secrets.rules';
import { voiceStackView } from './voice-stack-view.rules';

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

/** How the read of an agent ends while its times are not known. */
const withoutTimes = '"created_at":"","updated_at":""}';

/** The read of a new agent up to its times, which the database sets when it is inserted. */
export const viewBeforeTimes = ({ view }: Pick<Rendered, 'view'>): string => view.slice(0, -withoutTimes.length);

/** The read of a new agent, as its insertion puts it together. */
export const viewCreatedAt = (rendered: Pick<Rendered, 'view'>, time: string): string =>
  `${viewBeforeTimes(rendered)}"created_at":"${time}","updated_at":"${time}"}`;

type Made = ReadonlyMap<string, string>;

/** The answer of a write that made secrets of tools, which show them for the one time; the rendered text where none was made. */
export const viewWithSecrets = (agent: StoredAgent, { view }: Rendered, made: Made): string =>
  made.size === 0 ? view : JSON.stringify({ ...agentView(agent), tools: withSecrets(agent.document.tools, made) });

/** The answer of a save of the voice stack: the read, which shows no tools, and whether calls could run with it. */
export const voiceStackSaved = (agent: StoredAgent, made: Made, runnable: object): string =>
  JSON.stringify({
    ...voiceStackView(agent),
    ...(made.size === 0 ? {} : { tools: withSecrets(agent.document.tools, made) }),
    ...runnable,
  });
