import { conflict } from '@parley/errors';
import { isWebhookTool, shownTool, type AgentTool, type StoredTool } from '@parley/contract';

/** A replaced encrypted secret that also signs until then (ISO 8601). */
interface EarlierSecret {
  readonly sealed: string;
  readonly until: string;
}

/** The encrypted secrets of one tool, in base64: a single one, or after a rotation the current one with the previous ones. */
export type SecretsOfTool = string | { readonly current: string; readonly previous: readonly EarlierSecret[] };

/** Signing secrets of webhook tools by the tools' names: a secret is a tool's as long as the agent has a webhook tool of that name. */
export type ToolSecrets = Readonly<Record<string, SecretsOfTool>>;

/** The key of the agent's own secret among those of its tools: no tool has an empty name. */
export const ownSecretName = '';

/** As for endpoints: a receiver tries every signature. */
const mostLiveSecrets = 5;

/**
 * The secrets of a tool after a rotation.
 * @param now ISO 8601
 * @throws AppError ConflictError if too many would sign at once
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
    throw conflict(`at most ${mostLiveSecrets} secrets sign at once; shorten the overlap`);
  return { secrets: { current: sealed, previous: ending }, until: ending.length === 0 ? null : until };
}

/** The encrypted secrets that currently sign, newest first. @param now ISO 8601 */
export function liveSecrets(stored: SecretsOfTool | undefined, now: string): readonly string[] {
  if (stored === undefined) return [];
  if (typeof stored === 'string') return [stored];
  return [stored.current, ...stored.previous.filter(({ until }) => until > now).map(({ sealed }) => sealed)];
}

/** The remaining secrets, and the names of the tools without one. */
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

/** The tools as a read shows them, with the secrets that were made for them just now. */
export const withSecrets = (tools: readonly StoredTool[], made: ReadonlyMap<string, string>): readonly AgentTool[] =>
  tools
    .map(shownTool)
    .map((tool) => (isWebhookTool(tool) && made.has(tool.name) ? { ...tool, secret: made.get(tool.name) } : tool));

/** Tools as a client sends them back after a read, without the secrets. */
export const withoutSecrets = (tools: unknown): unknown =>
  Array.isArray(tools)
    ? tools.map((tool: unknown) => {
        if (typeof tool !== 'object' || tool === null) return tool;
        const { secret: _secret, ...rest } = tool as Readonly<Record<string, unknown>>;
        return rest;
      })
    : tools;
