import { invalidField } from '@parley/errors';

/**
 * The first message of a body: `begin_message` is its legacy alias (docs/reference/agents.md and docs/reference/voice-stack.md). Both with different texts: 400.
 * Undefined: neither was sent; null: it is cleared.
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
