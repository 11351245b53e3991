import type { ModelTool } from '@parley/providers';
import {
  furtherRecipients,
  nameOfTool,
  type AgentTool,
  type LeasedConnection,
  type TransferDestination,
} from '@parley/contract';
import definitions from './builtins.json';

const noArguments = { type: 'object', properties: {}, additionalProperties: false };

/** The built-in tools that are implemented, in the form that models get. */
export const builtins: Readonly<Record<string, Omit<ModelTool, 'name'>>> = definitions;

const unavailable = 'Not available.';

/** The action of a connection tool; undefined if the connection does not exist. */
export function actionOf(tool: Exclude<AgentTool, string>, connections: readonly LeasedConnection[]) {
  if (tool.type !== 'connection') return undefined;
  const connection = connections.find(({ connection_id: id }) => id === tool.connection_id);
  const action = connection?.actions.find(({ name }) => name === tool.action);
  return connection === undefined || action === undefined ? undefined : { connection, action };
}

/**
 * The tools offered to a model. Placeholders of older versions, and send_sms without a recipient, are not offered. A tool whose connection vanished is marked
 * as unavailable, because the prompt may mention it.
 * @param hasNumber whether the call has a number at its other end, to which send_sms sends by default
 */
export function modelToolsOf(
  tools: readonly AgentTool[],
  connections: readonly LeasedConnection[],
  hasNumber: boolean,
): ModelTool[] {
  return tools.flatMap((tool): ModelTool | readonly ModelTool[] => {
    if (typeof tool === 'string') return [];
    const name = nameOfTool(tool);
    const missing = { name, description: unavailable, parameters: noArguments };
    if (tool.type === 'webhook') return { name, description: tool.description, parameters: tool.parameters };
    if (tool.type === 'builtin') {
      const definition = builtinFor(tool, hasNumber);
      return definition === undefined ? [] : { ...missing, ...definition, ...destinationsOf(tool) };
    }
    const found = actionOf(tool, connections);
    return found === undefined
      ? missing
      : { name, description: found.action.description, parameters: found.action.parameters };
  });
}

/** The definition of a built-in tool in one call; undefined if it cannot be used there. */
export function builtinFor(
  tool: Extract<AgentTool, { readonly type: 'builtin' }>,
  hasNumber: boolean,
): Omit<ModelTool, 'name'> | undefined {
  const definition = Object.hasOwn(builtins, tool.name) ? builtins[tool.name] : undefined;
  const further = furtherRecipients([tool]) ?? [];
  if (tool.name !== 'send_sms' || definition === undefined || (hasNumber && further.length === 0)) return definition;
  if (further.length === 0) return undefined;
  const { properties, ...rest } = definition.parameters as { readonly properties: object };
  const to = { type: 'string', enum: further };
  return {
    description: `Sends a text message${hasNumber ? ', to the other end of the call unless another number is given' : ''}.`,
    parameters: { ...rest, properties: { ...properties, to }, ...(!hasNumber && { required: ['body', 'to'] }) },
  };
}

/** The configured destinations of transfer_call, which were validated when they were saved. */
export function transferDestinations(tool: AgentTool | undefined): readonly TransferDestination[] {
  if (tool === undefined || typeof tool === 'string' || tool.type !== 'builtin') return [];
  const { destinations = [] } = (tool.config ?? {}) as { readonly destinations?: readonly TransferDestination[] };
  return destinations;
}

/** Offers a model the destinations by name. It does not get the numbers. */
function destinationsOf(tool: Exclude<AgentTool, string>): Partial<ModelTool> {
  if (tool.type !== 'builtin' || tool.name !== 'transfer_call') return {};
  const { parameters, description = '' } = builtins['transfer_call'] ?? {};
  const destinations = transferDestinations(tool);
  const { properties, ...rest } = parameters as { readonly properties: Readonly<Record<string, object>> };
  const destination = { ...properties['destination'], enum: destinations.map(({ name }) => name) };
  const named = destinations.map(({ name, kind }) => `${name} (${kind})`).join(', ');
  return {
    description: `${description} Destinations: ${named}.`,
    parameters: { ...rest, properties: { ...properties, destination } },
  };
}
