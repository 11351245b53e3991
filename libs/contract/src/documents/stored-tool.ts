import type { AgentTool, WebhookTool } from '../objects/tools';

/** The value of a webhook tool's header in reads; in a write it keeps the stored value. */
export const hiddenHeader = '***';

/** A webhook tool as stored and as pinned by calls: without header values in plain text. */
export interface SealedWebhookTool extends WebhookTool {
  /** Encrypted values in base64, by header name. Earlier versions stored `headers` instead. */
  sealed_headers?: Readonly<Record<string, string>>;
}

/** A tool as stored and as pinned by calls. */
export type StoredTool = Exclude<AgentTool, WebhookTool> | SealedWebhookTool;

/** The encryption context of a header: agents encrypts with it, telephony decrypts with it. Header names are case-insensitive. */
export const sealedHeaderContext = (organizationId: string, agentId: string, tool: string, header: string) => ({
  organizationId,
  purpose: 'tool-header',
  recordId: `${agentId}/${tool}/${header.toLowerCase()}`,
});

export const isWebhookTool = (tool: StoredTool): tool is SealedWebhookTool =>
  typeof tool === 'object' && tool.type === 'webhook';

/** A tool as returned by reads: header values are hidden. */
export function shownTool(tool: StoredTool): AgentTool {
  if (!isWebhookTool(tool)) return tool;
  const { sealed_headers: sealed, headers, ...rest } = tool;
  const names = Object.keys({ ...headers, ...sealed });
  if (headers === undefined && sealed === undefined) return rest;
  return { ...rest, headers: Object.fromEntries(names.map((name) => [name, hiddenHeader])) };
}

/** A tool for the worker or gateway of a call, with the values of its headers. @param open decrypts one value */
export function openedTool(tool: StoredTool, open: (header: string, sealed: string) => string): AgentTool {
  if (!isWebhookTool(tool) || tool.sealed_headers === undefined) return tool;
  const { sealed_headers: sealed, headers, ...rest } = tool;
  const opened = Object.entries(sealed).map(([header, value]) => [header, open(header, value)] as const);
  return { ...rest, headers: { ...headers, ...Object.fromEntries(opened) } };
}
