/** The writes of an application, in order: the agent with its voice stack, its variables, its workflow. */
import type { AgentVariable, Parley } from '@parley/sdk';
import type { Bodies } from './plan.js';
import { readPlatform } from './read.js';
import { publishWorkflow } from './workflow.js';

/** The secrets that the platform created for new tools, by name. */
export type Secrets = Readonly<Record<string, string>>;

interface Step {
  /** The fields of the file that this step writes. */
  readonly fields: readonly string[];
  run(): Promise<Secrets>;
}

/** Each step uses the ETag of the previous one, so that a write of someone else in between is a conflict. */
export function stepsOf(parley: Parley, agentId: string, bodies: Bodies, etag: string | null): Step[] {
  const path = { agent_id: agentId };
  const { agent, stack, variables, workflow } = bodies;
  let match = etag ?? undefined;
  const matching = async () => ({ 'If-Match': (match ??= (await readPlatform(parley, agentId, false)).etag) });
  const keep = ({ headers }: Response): void => void (match = headers.get('etag') ?? match);
  const [ofAgent, ofStack] = [Object.keys(agent), Object.keys(stack)];
  const configuration = async (): Promise<Secrets> => {
    const headers = await matching();
    if (ofStack.length === 0) {
      const { response } = await parley.withResponse((options) =>
        parley.agents.updateAgent({ path, body: agent, headers, ...options }),
      );
      keep(response);
      return {};
    }
    if (ofAgent.length === 0) {
      const { data, response } = await parley.withResponse((options) =>
        parley.agents.saveVoiceStack({ path, body: stack, headers, ...options }),
      );
      keep(response);
      return secretsOf(data.tools);
    }
    const { data, response } = await parley.withResponse((options) =>
      parley.agents.saveAgentConfiguration({ path, body: { agent, voice_stack: stack }, headers, ...options }),
    );
    keep(response);
    return secretsOf(data.agent.tools);
  };
  const replaceVariables = async (): Promise<Secrets> => {
    const body = { config: { variables: variables as AgentVariable[] } };
    const headers = await matching();
    const { response } = await parley.withResponse((options) =>
      parley.agents.replaceVariables({ path, body, headers, ...options }),
    );
    keep(response);
    return {};
  };
  return [
    ...(ofAgent.length + ofStack.length > 0 ? [{ fields: [...ofAgent, ...ofStack], run: configuration }] : []),
    ...(variables === undefined ? [] : [{ fields: ['variables'], run: replaceVariables }]),
    ...(workflow === undefined
      ? []
      : [{ fields: ['workflow'], run: () => publishWorkflow(parley, agentId, workflow).then(() => ({})) }]),
  ];
}

function secretsOf(tools: readonly unknown[] = []): Secrets {
  const made = tools.flatMap((tool) =>
    typeof tool === 'object' &&
    tool !== null &&
    'secret' in tool &&
    typeof tool.secret === 'string' &&
    'name' in tool &&
    typeof tool.name === 'string'
      ? [[tool.name, tool.secret]]
      : [],
  );
  return Object.fromEntries(made) as Secrets;
}
