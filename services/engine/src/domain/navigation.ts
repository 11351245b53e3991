import type { NavigationState, Whereabouts } from './call-state';
import { patch, end, setDeadline, type Draft } from './draft';

export const navigationAtStart: NavigationState = { at: 'nowhere', since: 0, menuMs: 0, holdMs: 0 };

/** Speech of a phone menu: a choice of keys is offered. */
export const isMenuPrompt = (text: string): boolean =>
  /\b(?:press|dial|enter)\b[^.]*\b(?:zero|one|two|three|four|five|six|seven|eight|nine|\d|star|pound|hash)\b/i.test(
    text,
  ) || /\bfor\b[^.]*\bpress\b/i.test(text);

/** Goes to another place: what was spent at the old one is added up, the clock of the new one goes on from its sum. */
export function moveTo(draft: Draft, at: Whereabouts, now: number): void {
  const limits = draft.state.plan.conduct.navigation;
  const before = draft.state.navigation;
  if (limits === null || before.at === at) return;
  const spent = now - before.since;
  const menuMs = before.menuMs + (before.at === 'menu' ? spent : 0);
  const holdMs = before.holdMs + (before.at === 'hold' ? spent : 0);
  patch(draft, { navigation: { at, since: now, menuMs, holdMs } });
  setDeadline(draft, 'navigation_limit', at === 'menu' ? now + limits.maxMenuMs - menuMs : undefined);
  setDeadline(draft, 'hold_limit', at === 'hold' ? now + limits.maxHoldMs - holdMs : undefined);
  // In a menu and on hold the ending for non-human audio is suspended.
  if (at !== 'nowhere') setDeadline(draft, 'non_human', undefined);
}

export const isNavigating = ({ state }: Draft): boolean => state.navigation.at !== 'nowhere';

export function onNavigationLimit(draft: Draft, now: number, detail: 'navigation_limit' | 'hold_limit'): void {
  end(draft, now, 'ivr_timeout', true, detail);
}
