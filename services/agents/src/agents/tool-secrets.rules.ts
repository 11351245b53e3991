import { conflict } from '@parley/errors';
import { isWebhookTool, shownTool, type AgentTool, type StoredTool } from '@parley/contract';

/** A replaced secret, encrypted. Requests are also signed with it until the given time (ISO 8601). */
interface EarlierSecret {
  readonly sealed: string;
  readonly until: string;
}

/** The encrypted secrets of one tool, in base64: a single one, or after a rotation the current one with the previous ones. */
export type SecretsOfTool = string | { readonly current: string; readonly previous: readonly EarlierSecret[] };

/** Signing secrets of webhook tools by tool name. A secret is kept as long as the agent has a webhook tool with that name. */
export type ToolSecrets = Readonly<Record<string, SecretsOfTool>>;

/** The key of the agent's own secret among those of its tools: no tool has an empty name. */
export const ownSecretName = '';

/** The same limit as for endpoints: a receiver has to try every signature. */
const mostLiveSecrets = 5;

/**
 * The secrets of a tool after a rotation.
 * @param now ISO 8601
 * @throws AppError ConflictError if too many would be valid at once
 */
export function rotated(
  stored: SecretsOfTool | undefined,
  sealed: string,
  { hours, now }: { readonly hours: number; readonly now: string },
): { readonly secrets: SecretsOfTool; readonly until: string | null } {
  const until = new Date(Date.parse(now) + hours * 3_600_000).toISOString();
  const { current, previous } = typeof stored === 'object' ? stored : { current: stored, previous: [] };
  const ending = [...previous, ...(current === undefined ? [] : [{ sealed: current, until }])]
    .map((one) => ({ ...one, until: one.until < until ? one.until : until }))
    .filter((one) => one.until > now);
  if (ending.length >= mostLiveSecrets)
    throw conflict(`at most ${mostLiveSecrets} secrets can be active at once; shorten the overlap`);
  return { secrets: { current: sealed, previous: ending }, until: ending.length === 0 ? null : until };
}

/** The encrypted secrets with which requests are currently signed, newest first. @param now ISO 8601 */
export function liveSecrets(stored: SecretsOfTool | undefined, now: string): readonly string[] {
  if (stored === undefined) return [];
  if (typeof stored === 'string') return [stored];
  return [stored.current, ...stored.previous.filter(({ until }) => until > now).map(({ sealed }) => sealed)];
}

/** The secrets of tools that still exist, and the names of the tools that have none. */
export function secretsFor(
  tools: readonly StoredTool[],
  stored: ToolSecrets,
): { readonly kept: ToolSecrets; readonly lacking: readonly string[] } {
  const names = tools.filter(isWebhookTool).map(({ name }) => name);
  return {
    kept: Object.fromEntries(Object.entries(stored).filter(([name]) => name === ownSecretName || names.includes(name))),
    lacking: names.filter((name) => !Object.hasOwn(stored, name)),
  };
}

/** The tools as reads show them, plus the secrets that were just created for them. */
export const withSecrets = (tools: readonly StoredTool[], made: ReadonlyMap<string, string>): readonly AgentTool[] =>
  tools
    .map(shownTool)
    .map((tool) => (isWebhookTool(tool) && made.has(tool.name) ? { ...tool, secret: made.get(tool.name) } : tool));

/** Tools as a client sends them back after a read, with their secrets removed. */
export const withoutSecrets = (tools: unknown): unknown =>
  Array.isArray(tools)
    ? tools.map((tool: unknown) => {
        if (typeof tool !== 'object' || tool === null) return tool;
        const { secret: _secret, ...rest } = tool as Readonly<Record<string, unknown>>;
        return rest;
      })
    : tools;
