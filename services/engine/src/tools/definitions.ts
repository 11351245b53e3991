import type { ModelTool } from '@parley/providers';
import { nameOfTool, type AgentTool, type LeasedConnection } from '@parley/contract';

const noArguments = { type: 'object', properties: {}, additionalProperties: false };

/** The built-in tools that run, as a model sees them. */
export const builtins: Readonly<Record<string, Omit<ModelTool, 'name'>>> = {
  end_call: { description: 'Ends the call. Say goodbye before.', parameters: noArguments },
  send_sms: {
    description: 'Sends a text message, to the other end of the call unless another number is given.',
    parameters: {
      type: 'object',
      properties: {
        to: { type: 'string', description: 'A telephone number in E.164 form; default: the other end of the call.' },
        body: { type: 'string', minLength: 1, maxLength: 1600 },
      },
      required: ['body'],
      additionalProperties: false,
    },
  },
  query_knowledge: {
    description:
      'Searches the documents that this agent answers from. Ask it before answering a question of fact, and answer by what it returns alone.',
    parameters: {
      type: 'object',
      properties: {
        question: { type: 'string', minLength: 1, maxLength: 1000, description: 'The question, in words of its own.' },
      },
      required: ['question'],
      additionalProperties: false,
    },
  },
  leave_voicemail: {
    description: 'Leaves a message on the mailbox that answered, then ends the call.',
    parameters: {
      type: 'object',
      properties: { text: { type: 'string', maxLength: 400, description: "Default: the agent's own message." } },
      additionalProperties: false,
    },
  },
};

const unavailable = 'Not available.';

/** The action that a connection tool stands for; undefined where its connection is not registered. */
export function actionOf(tool: Exclude<AgentTool, string>, connections: readonly LeasedConnection[]) {
  if (tool.type !== 'connection') return undefined;
  const connection = connections.find(({ connection_id: id }) => id === tool.connection_id);
  const action = connection?.actions.find(({ name }) => name === tool.action);
  return connection === undefined || action === undefined ? undefined : { connection, action };
}

/** The tools as a model is offered them. What cannot run is offered too, as unavailable: a prompt may name it. */
export function modelToolsOf(tools: readonly AgentTool[], connections: readonly LeasedConnection[]): ModelTool[] {
  return tools.map((tool) => {
    const name = nameOfTool(tool);
    const missing = { name, description: unavailable, parameters: noArguments };
    if (typeof tool === 'string') return missing;
    if (tool.type === 'webhook') return { name, description: tool.description, parameters: tool.parameters };
    if (tool.type === 'builtin') return { ...missing, ...builtins[tool.name] };
    const found = actionOf(tool, connections);
    return found === undefined
      ? missing
      : { name, description: found.action.description, parameters: found.action.parameters };
  });
}
