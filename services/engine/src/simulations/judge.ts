import { isDeepStrictEqual } from 'node:util';
import type { TranscriptTurn } from '@parley/contract';
import type { Assertion } from './scenario';
import type { Conversation } from './simulate';

/** How one assertion stands. */
export interface Verdict {
  readonly assertion: Assertion;
  readonly passed: boolean;
  /** What was found; empty where it passed. */
  readonly detail: string;
}

export const judge = (conversation: Conversation, assertions: readonly Assertion[]): Verdict[] =>
  assertions.map((assertion) => {
    const detail = failureOf(assertion, conversation);
    return { assertion, passed: detail === undefined, detail: detail ?? '' };
  });

const folded = (text: string): string => text.trim().replace(/\s+/gu, ' ').toLowerCase();

function failureOf(assertion: Assertion, conversation: Conversation): string | undefined {
  const { turns, endedReason } = conversation;
  switch (assertion.type) {
    case 'said':
      return saidBy(turns, assertion.by).some((text) => folded(text).includes(folded(assertion.text)))
        ? undefined
        : `was not said: ${assertion.text}`;
    case 'not_said': {
      const said = saidBy(turns, assertion.by).find((text) => folded(text).includes(folded(assertion.text)));
      return said === undefined ? undefined : `was said: ${said}`;
    }
    case 'said_exactly':
      return saidBy(turns, assertion.by).some((text) => folded(text) === folded(assertion.text))
        ? undefined
        : `no turn is: ${assertion.text}`;
    case 'said_matching': {
      const pattern = new RegExp(assertion.pattern, 'iu');
      return saidBy(turns, assertion.by).some((text) => pattern.test(text))
        ? undefined
        : `no turn matches ${assertion.pattern}`;
    }
    case 'tool_called': {
      const calls = callsOf(turns).filter(({ name }) => name === assertion.name);
      const { arguments: wanted } = assertion;
      if (calls.some((call) => wanted === undefined || isDeepStrictEqual(call.arguments, wanted))) return undefined;
      return calls.length === 0
        ? `${assertion.name} was not called`
        : `${assertion.name} was called with ${calls.map((call) => JSON.stringify(call.arguments)).join(', ')}`;
    }
    case 'tool_not_called':
      return callsOf(turns).some(({ name }) => name === assertion.name) ? `${assertion.name} was called` : undefined;
    case 'ended_reason':
      return endedReason === assertion.is ? undefined : `ended with ${endedReason}`;
    case 'turns_at_most':
      return turns.length <= assertion.turns ? undefined : `had ${turns.length} turns`;
    case 'latency_at_most': {
      const slowest = Math.max(0, ...turns.map(({ latency }) => latency?.total_ms ?? 0));
      return slowest <= assertion.ms ? undefined : `an answer took ${slowest} ms`;
    }
  }
}

const saidBy = (turns: readonly TranscriptTurn[], by: 'agent' | 'callee' = 'agent'): string[] =>
  turns.filter(({ speaker }) => speaker === by).map(({ text }) => text);

const callsOf = (turns: readonly TranscriptTurn[]): { readonly name: string; readonly arguments: unknown }[] =>
  turns.flatMap(({ tool_calls: calls = [] }) =>
    calls.map(({ name, arguments: text }) => ({ name, arguments: parsed(text) })),
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
