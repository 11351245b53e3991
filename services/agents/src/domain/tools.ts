import { limits, nameOfTool, reservedToolNames, type AgentTool } from '@parley/contract';
import { AppError, badRequest } from '@parley/errors';
import { same } from './same';
import { withoutSecrets } from './tool-secrets';

/** Names are unique within the agent, none is reserved, 32 at most (section 2.8, decisions section 4). */
export function checkTools(tools: readonly AgentTool[]): void {
  if (tools.length > limits.toolNames) throw badRequest(`tools holds at most ${limits.toolNames} names`);
  const seen = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const name = nameOfTool(tool);
    if (isReserved(name)) throw badRequest(`tools[${index}] uses the reserved name ${name}`);
    if (seen.has(name)) throw badRequest(`tools[${index}] repeats the name ${name}`);
    seen.add(name);
  }
}

/** 409 AgentToolsChangedError when a replacement was made on a list that is not the stored one (section 2.2). */
export function checkExpectedTools(
  stored: readonly AgentTool[],
  body: { readonly tools?: unknown; readonly expected_tools?: unknown },
): void {
  if (body.tools === undefined || body.expected_tools === undefined) return;
  if (same(stored, withoutSecrets(body.expected_tools))) return;
  throw new AppError('AgentToolsChangedError', 'the tools changed since they were read: read them again');
}

/** A name that belongs to the navigation tools (section 2.6). */
export const isReserved = (name: string): boolean => reservedToolNames.some((reserved) => reserved === name);
