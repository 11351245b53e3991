import {
  builtinConfigs,
  hiddenHeader,
  isWebhookTool,
  limits,
  nameOfTool,
  reservedToolNames,
  shownTool,
  validate,
  type AgentTool,
  type SealedWebhookTool,
  type StoredTool,
} from '@parley/contract';
import { AppError, invalidField } from '@parley/errors';
import { same } from '../same.rules';
import { withoutSecrets } from './tool-secrets.rules';

/**
 * Checks that tool names are unique within the agent and not reserved, that there are at most 32 (docs/reference/agents.md#tools), and that a masked header has
 * a stored value.
 */
export function checkTools(tools: readonly AgentTool[], stored: readonly StoredTool[]): void {
  if (tools.length > limits.toolNames)
    throw invalidField('tools', 'too_long', `holds at most ${limits.toolNames} names`);
  const seen = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const name = nameOfTool(tool);
    const field = `tools[${index}]`;
    if (isReserved(name)) throw invalidField(field, 'not_allowed', `uses the reserved name ${name}`);
    if (seen.has(name)) throw invalidField(field, 'duplicate', `has the duplicate name ${name}`);
    seen.add(name);
    if (isWebhookTool(tool)) checkHeaders(tool, index, stored);
    if (!isStored(tool, stored)) checkShape(tool, field);
  }
}

/** Whether a client sends back a tool as it was read. Such tools are not validated again. */
export const isStored = (tool: AgentTool, stored: readonly StoredTool[]): boolean =>
  stored.some((one) => same(shownTool(one), tool));

/** Checks what the tool's class does not express: the config of a built-in tool, and that the name of an action without its own name is a valid tool name. */
function checkShape(tool: AgentTool, field: string): void {
  if (typeof tool === 'string') return;
  if (tool.type === 'builtin') validate(builtinConfigs[tool.name], tool.config ?? {}, { path: `${field}.config` });
  if (tool.type === 'connection' && tool.name === undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(tool.action))
    throw invalidField(`${field}.name`, 'required', 'is required if the action is not a valid tool name');
}

/** The ids of the connections that tools use, each once. */
export const usedConnections = (tools: readonly (AgentTool | StoredTool)[]): string[] => [
  ...new Set(
    tools.flatMap((tool) => (typeof tool === 'object' && tool.type === 'connection' ? [tool.connection_id] : [])),
  ),
];

/** @throws 409 AgentToolsChangedError if the replacement was based on an outdated list (docs/reference/agents.md#update) */
export function checkExpectedTools(
  stored: readonly StoredTool[],
  body: { readonly tools?: unknown; readonly expected_tools?: unknown },
): void {
  if (body.tools === undefined || body.expected_tools === undefined) return;
  if (same(stored.map(shownTool), withoutSecrets(body.expected_tools))) return;
  throw new AppError('AgentToolsChangedError', 'the tools changed since they were read: read them again');
}

/** Headers that connections or signatures set: an agent must not set them. */
const refusedHeader = /^(?:host|content-length|transfer-encoding|connection|webhook-.*)$/i;

function checkHeaders(tool: SealedWebhookTool, index: number, stored: readonly StoredTool[]): void {
  for (const [header, value] of Object.entries(tool.headers ?? {})) {
    const field = `tools[${index}].headers.${header}`;
    if (refusedHeader.test(header)) throw invalidField(field, 'not_allowed', 'is set by the platform');
    if (value !== hiddenHeader) continue;
    if (storedHeader(stored, tool.name, header) === undefined)
      throw invalidField(
        field,
        'not_allowed',
        `is "${hiddenHeader}", which keeps a stored value, but no value is stored`,
      );
    // A secret must not be sent to another server than the one for which it was entered.
    if (originOf(storedTool(stored, tool.name)) !== originOf(tool))
      throw invalidField(field, 'required', 'is required, because url changes to another server');
  }
}

/** A stored header value, encrypted. */
export function storedHeader(tools: readonly StoredTool[], tool: string, header: string): string | undefined {
  const sealed = Object.entries(storedTool(tools, tool)?.sealed_headers ?? {});
  return sealed.find(([name]) => name.toLowerCase() === header.toLowerCase())?.[1];
}

const storedTool = (tools: readonly StoredTool[], name: string): SealedWebhookTool | undefined =>
  tools.filter(isWebhookTool).find((one) => one.name === name);

const originOf = (tool: Pick<SealedWebhookTool, 'url'> | undefined): string => URL.parse(tool?.url ?? '')?.origin ?? '';

/** A name that is reserved for navigation tools (docs/reference/tuning.md). */
export const isReserved = (name: string): boolean => reservedToolNames.some((reserved) => reserved === name);
