import type { AgentTool, WebhookTool } from '../objects/tools';

/** Shown in reads instead of the value of a webhook tool's header; in a write it means that the stored value is kept. */
export const hiddenHeader = '***';

/** A webhook tool as stored and as pinned by calls, without header values in plain text. */
export interface SealedWebhookTool extends WebhookTool {
  /** Encrypted values in base64, by header name. */
  sealed_headers?: Readonly<Record<string, string>>;
}

/** A tool as stored and as pinned by calls. */
export type StoredTool = Exclude<AgentTool, WebhookTool> | SealedWebhookTool;

/** The encryption context of a header value: the agents service encrypts with it, telephony decrypts with it. Header names are case-insensitive. */
export const sealedHeaderContext = (organizationId: string, agentId: string, tool: string, header: string) => ({
  organizationId,
  purpose: 'tool-header',
  recordId: `${agentId}/${tool}/${header.toLowerCase()}`,
});

export const isWebhookTool = (tool: StoredTool): tool is SealedWebhookTool =>
  typeof tool === 'object' && tool.type === 'webhook';

/** A tool as shown in reads, with hidden header values. */
export function shownTool(tool: StoredTool): AgentTool {
  if (!isWebhookTool(tool)) return tool;
  const { sealed_headers: sealed, headers, ...rest } = tool;
  const names = Object.keys({ ...headers, ...sealed });
  if (headers === undefined && sealed === undefined) return rest;
  return { ...rest, headers: Object.fromEntries(names.map((name) => [name, hiddenHeader])) };
}

/** A tool with decrypted header values, for the worker or media gateway of a call. @param open decrypts one value */
export function openedTool(tool: StoredTool, open: (header: string, sealed: string) => string): AgentTool {
  if (!isWebhookTool(tool) || tool.sealed_headers === undefined) return tool;
  const { sealed_headers: sealed, headers, ...rest } = tool;
  const opened = Object.entries(sealed).map(([header, value]) => [header, open(header, value)] as const);
  return { ...rest, headers: { ...headers, ...Object.fromEntries(opened) } };
}
