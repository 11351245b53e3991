import { invalidField } from '@parley/errors';

/**
 * Returns the first message of a request body. `begin_message` is a legacy alias (docs/reference/agents.md and docs/reference/voice-stack.md); if both are sent
 * with different texts, the result is a 400.
 * @returns undefined if neither was sent; null to clear it
 */
export function firstMessageOf(body: {
  readonly first_message?: string | null;
  readonly begin_message?: string | null;
}): string | null | undefined {
  const { first_message: current, begin_message: legacy } = body;
  if (current !== undefined && legacy !== undefined && current !== legacy) {
    throw invalidField('begin_message', 'conflict_with', 'is an alias of first_message: the two differ');
  }
  return current === undefined ? legacy : current;
}
