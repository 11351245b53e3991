import type { AgentTool, WebhookTool } from '@parley/contract';

/** Signing secrets of webhook tools by the tools' names, sealed, in base64: a secret is a tool's as long as the agent has a webhook tool of that name. */
export type ToolSecrets = Readonly<Record<string, string>>;

const isWebhook = (tool: AgentTool): tool is WebhookTool => typeof tool === 'object' && tool.type === 'webhook';

/** What stays of the secrets, and the names of the tools that have none yet. */
export function secretsFor(
  tools: readonly AgentTool[],
  stored: ToolSecrets,
): { readonly kept: ToolSecrets; readonly lacking: readonly string[] } {
  const names = tools.filter(isWebhook).map(({ name }) => name);
  return {
    kept: Object.fromEntries(Object.entries(stored).filter(([name]) => names.includes(name))),
    lacking: names.filter((name) => !Object.hasOwn(stored, name)),
  };
}

/** The tools with the secrets that were made for them just now. */
export const withSecrets = (tools: readonly AgentTool[], made: ReadonlyMap<string, string>): readonly AgentTool[] =>
  tools.map((tool) => (isWebhook(tool) && made.has(tool.name) ? { ...tool, secret: made.get(tool.name) } : tool));

/** Tools as a client sends back what it was shown, without the secrets. */
export const withoutSecrets = (tools: unknown): unknown =>
  Array.isArray(tools)
    ? tools.map((tool: unknown) => {
        if (typeof tool !== 'object' || tool === null) return tool;
        const { secret: _secret, ...rest } = tool as Readonly<Record<string, unknown>>;
        return rest;
      })
    : tools;
