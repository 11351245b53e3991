import {
  AgentNavigation,
  AgentTurnTaking,
  byRule,
  defaultOf,
  limits,
  nameOfTool,
  reservedToolNames,
  resolve,
  type AgentNavigationStatus,
  type NavigationIneligibleReason,
} from '@parley/contract';
import { invalidField } from '@parley/errors';
import type { AgentDocument, Navigation } from './agent-document.rules';
import { isReserved } from './tools.rules';

const limitNames = ['max_hold_seconds', 'max_navigation_seconds'] as const;

/** The section as stored: the setting and the limits that were set. Read-only fields are removed (docs/reference/tuning.md). */
export function normaliseNavigation(sent: Navigation): Navigation {
  return {
    enabled: sent.enabled,
    ...(sent.max_hold_seconds === undefined ? {} : { max_hold_seconds: sent.max_hold_seconds }),
    ...(sent.max_navigation_seconds === undefined ? {} : { max_navigation_seconds: sent.max_navigation_seconds }),
  };
}

/** Whether two sections are equivalent: a limit with its default value equals an omitted one, and an absent section means the platform's choice. */
export function meansTheSame(left: Navigation | undefined, right: Navigation | undefined): boolean {
  const [a, b] = [left, right].map((section) =>
    JSON.stringify([section?.enabled ?? null, ...effectiveLimits(section)]),
  );
  return a === b;
}

/**
 * While navigation is enabled, a limit must not exceed max_call_seconds. This is checked when the limit is set, when navigation is enabled and when
 * max_call_seconds is reduced (docs/reference/tuning.md). Limits stored with `enabled: false` are not checked.
 * @param changed the field in this save, so that the message names the invalid one
 */
export function checkNavigationLimits(document: AgentDocument, changed: 'navigation' | 'turn_taking'): void {
  const { navigation } = document;
  if (navigation === undefined || navigation.enabled === false) return;
  const longest = document.turn_taking?.max_call_seconds ?? defaultOf(AgentTurnTaking, 'max_call_seconds');
  for (const limit of limitNames) {
    const value = navigation[limit];
    if (value === undefined || value <= longest) continue;
    if (changed === 'navigation')
      throw invalidField(
        `navigation.${limit}`,
        'conflict_with',
        `must not exceed turn_taking.max_call_seconds (${longest})`,
      );
    throw invalidField(
      'turn_taking.max_call_seconds',
      'conflict_with',
      `must not be shorter than navigation.${limit} (${value})`,
    );
  }
}

/** Combines the stored setting, the capabilities of the stack and the requirements of the agent's tools. */
export function navigationStatus(
  document: AgentDocument,
  stackReason: NavigationIneligibleReason | null,
): AgentNavigationStatus {
  const { navigation } = document;
  const [maxHold, maxNavigation] = effectiveLimits(navigation);
  const reason = navigation?.enabled === false ? 'turned_off' : (stackReason ?? toolReason(document));
  return {
    enabled: navigation?.enabled ?? null,
    effective: reason === null,
    max_hold_seconds: maxHold,
    max_navigation_seconds: maxNavigation,
    eligible: reason === null,
    ineligible_reason: reason,
  };
}

function toolReason(document: AgentDocument): NavigationIneligibleReason | null {
  if (document.tools.some((tool) => isReserved(nameOfTool(tool)))) return 'tool_name_conflict';
  return document.tools.length + reservedToolNames.length > limits.toolNames ? 'tool_budget' : null;
}

function effectiveLimits(navigation: Navigation | undefined): [number, number] {
  const { max_hold_seconds, max_navigation_seconds } = resolve(AgentNavigation, navigation, byRule.navigation);
  return [max_hold_seconds, max_navigation_seconds];
}
