import type { AgentTool, WebhookTool } from '../objects/tools';

/** What a header of a webhook tool reads as; in a write it keeps the value that is stored. */
export const hiddenHeader = '***';

/** A webhook tool as it is stored and pinned by calls: no header value in the clear. */
export interface SealedWebhookTool extends WebhookTool {
  /** By header name, what the vault sealed in base64. `headers` stands in its place in what versions before wrote. */
  sealed_headers?: Readonly<Record<string, string>>;
}

/** A tool as it is stored and pinned by calls. */
export type StoredTool = Exclude<AgentTool, WebhookTool> | SealedWebhookTool;

/** What a header is sealed for: agents seals with it, telephony opens with it. Header names are not case-sensitive. */
export const sealedHeaderContext = (organizationId: string, agentId: string, tool: string, header: string) => ({
  organizationId,
  purpose: 'tool-header',
  recordId: `${agentId}/${tool}/${header.toLowerCase()}`,
});

export const isWebhookTool = (tool: StoredTool): tool is SealedWebhookTool =>
  typeof tool === 'object' && tool.type === 'webhook';

/** A tool as every read shows it: header values are hidden. */
export function shownTool(tool: StoredTool): AgentTool {
  if (!isWebhookTool(tool)) return tool;
  const { sealed_headers: sealed, headers, ...rest } = tool;
  const names = Object.keys({ ...headers, ...sealed });
  if (headers === undefined && sealed === undefined) return rest;
  return { ...rest, headers: Object.fromEntries(names.map((name) => [name, hiddenHeader])) };
}

/** A tool as who conducts a call gets it, with the values of its headers. @param open opens one sealed value */
export function openedTool(tool: StoredTool, open: (header: string, sealed: string) => string): AgentTool {
  if (!isWebhookTool(tool) || tool.sealed_headers === undefined) return tool;
  const { sealed_headers: sealed, headers, ...rest } = tool;
  const opened = Object.entries(sealed).map(([header, value]) => [header, open(header, value)] as const);
  return { ...rest, headers: { ...headers, ...Object.fromEntries(opened) } };
}
